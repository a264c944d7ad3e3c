import { parseToolMatcher, type ToolMatcher } from "./tool-matcher.ts";

/** When a hook runs. */
export const HOOK_EVENTS = [
  "before_tool",
  "after_tool",
  "session_start",
  "session_end",
  "prompt",
  "before_compact",
  "stop",
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** A hook as the configuration has it (`hooks[]`). `timeout` in seconds. */
export interface HookSetting {
  event: string;
  command: string;
  tools?: readonly string[];
  timeout?: number;
  blocking?: boolean;
}

/** A hook, understood. */
export interface Hook {
  event: HookEvent;
  command: string;
  /** For people: `the hook "./check.sh"`. */
  name: string;
  /** Empty: every tool. */
  tools: readonly ToolMatcher[];
  timeoutMs: number;
  blocking: boolean;
}

const DEFAULT_TIMEOUT_S = 10;
/** A timer of the runtime fires at once beyond 2^31 ms. */
const MOST_TIMEOUT_S = 2_000_000;
const MOST_NAME = 80;

/**
 * Reads the hooks of the configuration, in its order. What cannot be understood of `tools` is told in `problems` and counts for the
 * whole tool, so that a hook runs too often rather than not at all. `checkPath` throws an Error for a glob that cannot be used.
 */
export function readHooks(
  settings: readonly HookSetting[],
  checkPath: (glob: string) => void,
): { hooks: Hook[]; problems: string[] } {
  const problems: string[] = [];
  const hooks: Hook[] = [];
  for (const { event, command, tools = [], timeout = DEFAULT_TIMEOUT_S, blocking = false } of settings) {
    const known = HOOK_EVENTS.find((each) => each === event);
    const name = `the hook ${JSON.stringify(clip(command))}`;
    if (known === undefined) {
      problems.push(`${name} never runs: there is no event "${event}" (there is ${HOOK_EVENTS.join(", ")})`);
      continue;
    }
    if (tools.length > 0 && !known.endsWith("_tool"))
      problems.push(`"tools" of ${name} has no effect: ${known} is not about a tool`);
    const matchers = tools.map((text) => {
      const { matcher, problem } = parseToolMatcher(text, checkPath);
      if (problem !== undefined) problems.push(`"tools" of ${name}: ${problem}`);
      return matcher;
    });
    const timeoutMs = Math.min(timeout, MOST_TIMEOUT_S) * 1_000;
    hooks.push({ event: known, command, name, tools: matchers, timeoutMs, blocking });
  }
  return { hooks, problems };
}

function clip(command: string): string {
  const line = command.trim().replace(/\s+/g, " ");
  return line.length <= MOST_NAME ? line : `${line.slice(0, MOST_NAME - 1)}…`;
}
