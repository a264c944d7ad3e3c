import type { JsonObject } from "../../../../contract/json.ts";
import type { MemoryDoor, MemoryLook, RecalledMemory } from "../../../../contract/memory.ts";
import type { AnyTool, ToolContext, ToolOutcome } from "../../../../contract/tool.ts";

/** A memory that gives the same answer to everything (or throws), and keeps what it was asked. */
export function fakeMemory(answer: MemoryLook | Error): MemoryDoor & { asked: unknown[][] } {
  const asked: unknown[][] = [];
  const look = async (...question: unknown[]): Promise<MemoryLook> => {
    asked.push(question);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return {
    asked,
    search: (query, { signal: _, ...options }) => look("search", query, options),
    timeline: (anchor, { signal: _, ...options }) => look("timeline", anchor, options),
    get: (ids) => look("get", ids),
  };
}

/** A memory; what is not given is like any other. */
export function recalled(more: Partial<RecalledMemory>): RecalledMemory {
  return {
    id: "a".repeat(32),
    kind: "decision",
    by: "user",
    typed: true,
    date: "2026-11-30",
    state: "",
    line: "we use pnpm",
    text: "we use pnpm as the package manager",
    files: [],
    tokens: 9,
    provider: "",
    ...more,
  };
}

/** Runs a memory tool, which uses nothing of its context but the signal. */
export function runTool(tool: AnyTool, input: JsonObject): Promise<ToolOutcome> {
  return tool.run(input, { signal: new AbortController().signal } as ToolContext);
}
