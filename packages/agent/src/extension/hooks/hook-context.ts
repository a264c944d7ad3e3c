import type { PendingCall } from "../../contract/callbacks.ts";
import type { AskDoor } from "../../contract/consent.ts";
import type { Hook } from "./hook-entry.ts";
import type { HookOccasion } from "./hook-input.ts";
import type { HookEnd } from "./run-hook.ts";

/** What one hook is run with. */
export interface HookContext {
  /** Runs a hook for an occasion. */
  run(hook: Hook, occasion: HookOccasion, signal: AbortSignal): Promise<HookEnd>;
  /** Tells people that a hook failed. */
  tell(hook: Hook, why: string): void;
  matches(hook: Hook, call: PendingCall): boolean;
  ask: AskDoor | null;
  /** Stands for the content of a file; null when it cannot be read. */
  fingerprint(path: string): string | null;
}

/** Why something is not to happen, after a hook ended; undefined: it may. A hook that failed blocks where it says so, else people are told. */
export function blockOf(hook: Hook, end: HookEnd, tell: HookContext["tell"]): string | undefined {
  if (end.kind === "blocked") return reasonOf(hook, end.reason);
  if (end.kind === "answered")
    return end.answer.block === undefined ? undefined : reasonOf(hook, end.answer.block);
  if (end.kind === "aborted") return undefined;
  if (hook.blocking) return `${hook.name} ${end.why}`;
  tell(hook, end.why);
  return undefined;
}

/** The reason a hook gave, or that it gave none. */
export function reasonOf(hook: Hook, reason: string): string {
  return reason === "" ? `${hook.name} blocks it and gives no reason` : reason;
}
