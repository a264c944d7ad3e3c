import type { Json, JsonObject } from "../../../../contract/json.ts";

/** A tool call as it is shown: what was asked, what comes, what came out. */
export interface ToolRun {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  /** When it was seen to start; absent for a call of a resumed session. */
  startedAt?: number;
  /** The end of its live output. */
  live: string;
  result?: ToolEnd;
}

export interface ToolEnd {
  content: string;
  isError: boolean;
  details: JsonObject;
}

/** The first of these properties that is a text. */
export function textOf(object: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) if (typeof object[name] === "string") return object[name];
  return undefined;
}

export function numberOf(object: JsonObject, name: string): number | undefined {
  return typeof object[name] === "number" ? object[name] : undefined;
}

/** A value in one line. */
export function shortJson(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
