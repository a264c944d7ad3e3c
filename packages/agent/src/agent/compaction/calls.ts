/** The calls of a history with their results, and what they did to files. */
import type { JsonObject } from "../../contract/json.ts";
import type { AssistantMessage, Message, ToolCallPart, ToolResultPart } from "../../contract/messages.ts";
import type { ToolKind } from "../../contract/tool.ts";

export interface FinishedCall {
  call: ToolCallPart;
  result: ToolResultPart;
  /** Indexes of the message with the call and of the one with the result. */
  callAt: number;
  resultAt: number;
}

/** All calls that have a result, in the order of their results. */
export function finishedCalls(messages: readonly Message[]): FinishedCall[] {
  const finished: FinishedCall[] = [];
  const open = new Map<string, { call: ToolCallPart; callAt: number }>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant")
      for (const call of callsOf(message)) open.set(call.id, { call, callAt: index });
    else if (message.role === "tool")
      for (const result of message.parts) {
        const asked = open.get(result.id);
        if (!asked) continue;
        open.delete(result.id);
        finished.push({ ...asked, result, resultAt: index });
      }
  }
  return finished;
}

function callsOf(message: AssistantMessage): ToolCallPart[] {
  return message.parts.filter((part): part is ToolCallPart => part.type === "tool_call");
}

/** Tells what kind of tool a name is; undefined for a tool that is no longer there. */
export type KindOf = (name: string) => ToolKind | undefined;

/** What a call that succeeded did to a file. */
export interface FileUse {
  path: string;
  /** `write`: all of the file is in the call. `edit`: a part of it. */
  how: "read" | "edit" | "write";
  /** Lines that a read showed, 1-based, both ends included; absent when that is not known. */
  lines?: { from: number; to: number };
}

/** Undefined for a call that failed or that names no file. */
export function fileUse({ call, result }: FinishedCall, kindOf: KindOf): FileUse | undefined {
  if (result.isError || call.problem) return undefined;
  const details = result.details ?? {};
  const path = pathIn(details, ["path"]) ?? pathIn(call.arguments, ["file_path", "path", "file"]);
  if (path === undefined) return undefined;
  const kind = kindOf(call.name);
  if (kind === "edit") {
    const whole = typeof call.arguments["content"] === "string";
    return { path, how: whole ? "write" : "edit" };
  }
  if (call.name !== "read" || (kind !== undefined && kind !== "inspect")) return undefined;
  const { first_line: from, last_line: to, next_column: next } = details;
  // Of a line that was shown in part nobody knows which part another read has shown.
  const whole = next === undefined && call.arguments["column"] === undefined;
  const known = whole && typeof from === "number" && typeof to === "number";
  return { path, how: "read", ...(known && { lines: { from, to } }) };
}

function pathIn(values: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = values[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}
