/** The port between the long-term memory and the tools that look into it. Nothing here writes, approves or forgets. */
import type { Message } from "./messages.ts";

/** One memory as a model may read it: attributed, dated, its text inert (it can close no frame and hide nothing). */
export interface RecalledMemory {
  readonly id: string;
  /** `decision`, `preference`, `prompt`, … */
  readonly kind: string;
  readonly by: string;
  /** A person typed exactly this. */
  readonly typed: boolean;
  /** When it was said: `YYYY-MM-DD`. */
  readonly date: string;
  /** What stands against it (`superseded`, `candidate`, `stale`); empty when it simply holds. */
  readonly state: string;
  /** One line of it. */
  readonly line: string;
  readonly text: string;
  readonly files: readonly string[];
  /** Estimated tokens of the whole text. */
  readonly tokens: number;
  /** The store it is in, where that is not the usual one; else empty. */
  readonly provider: string;
}

/** What came of looking. `gaps` are places that gave no answer, in words. `refused`: the question itself is wrong. */
export type MemoryLook =
  | {
      readonly state: "found";
      readonly memories: readonly RecalledMemory[];
      readonly gaps: readonly string[];
    }
  | { readonly state: "empty" }
  | { readonly state: "not_looked" | "refused"; readonly reason: string };

/** Looks into memory on behalf of one conversation. Never throws because memory is broken. */
export interface MemoryDoor {
  /** Best first. */
  search(
    query: string,
    options: { limit: number; type?: string; provider?: string; signal: AbortSignal },
  ): Promise<MemoryLook>;
  /** What was said and done before and after a memory in its session, in order of time. */
  timeline(
    anchor: string,
    options: { before: number; after: number; signal: AbortSignal },
  ): Promise<MemoryLook>;
  /** In the order asked; ids that are not there are left out. */
  get(ids: readonly string[], signal: AbortSignal): Promise<MemoryLook>;
}

/** How text from memory begins and ends wherever a model reads it. What stands between is never remembered again. */
export const MEMORY_FRAME = {
  open: '<recalled-memory trust="untrusted">',
  close: "</recalled-memory>",
} as const;

/** The names of the tools that look into memory. */
export const MEMORY_TOOLS = ["mem-search", "mem-timeline", "mem-get"] as const;

/** True for the result of a tool that gave text from memory. */
export function isMemoryTool(name: string): boolean {
  return (MEMORY_TOOLS as readonly string[]).includes(name);
}

/** True for a message that holds nothing but text from memory. */
export function isRecalled(message: Message): boolean {
  return message.role === "user" && message.origin === "memory";
}
