import type { CommandCall } from "../command.ts";

/** What one look found. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "warn" | "error";
  /** In words, without any memory's text and without secrets. */
  readonly found: string;
  /** What to do; empty when all is well. */
  readonly hint: string;
}

/** Looks at one thing. What it throws becomes an error of its own. */
export type Checker = (call: CommandCall) => Promise<readonly Check[]>;

export function ok(name: string, found: string): Check {
  return { name, status: "ok", found, hint: "" };
}

export function warn(name: string, found: string, hint: string): Check {
  return { name, status: "warn", found, hint };
}

export function failed(name: string, found: string, hint: string): Check {
  return { name, status: "error", found, hint };
}
