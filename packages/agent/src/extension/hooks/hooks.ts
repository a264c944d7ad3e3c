import type { Callbacks } from "../../contract/callbacks.ts";
import type { AskDoor } from "../../contract/consent.ts";
import type { HookContext } from "./hook-context.ts";
import { type Hook, type HookSetting, readHooks } from "./hook-entry.ts";
import { hookInput } from "./hook-input.ts";
import { type HookRunner, runHook } from "./run-hook.ts";
import { compactHook, promptHook, stopHook } from "./run-hooks.ts";
import { SessionHooks } from "./session-hooks.ts";
import { afterToolHook, beforeToolHook } from "./tool-hooks.ts";
import { matchesCall } from "./tool-matcher.ts";

/** Paths of hooks' `tools`, compared as the permission rules compare theirs. */
export interface HookPaths {
  /** Throws an Error that says what is wrong with a glob. */
  check(glob: string): void;
  matches(glob: string, path: string): boolean;
}

/** What hooks are made from. */
export interface HookOptions extends HookRunner {
  /** In the order in which they run. */
  settings: readonly HookSetting[];
  sessionId: string;
  paths: HookPaths;
  /** Null where there is nobody to ask: what would be asked is refused. */
  ask: AskDoor | null;
  /** Stands for the content of a file of the project; null when it cannot be read. */
  fingerprint(path: string): string | null;
  /** Something that people should know: a hook that failed, an entry that is not understood. */
  onNotice(message: string): void;
}

/** The hooks of one conversation. */
export interface Hooks {
  /** One for each hook in the order of the configuration, so that each sees what the ones before it have changed. */
  readonly callbacks: readonly Callbacks[];
  /** Starts the hooks of `session_start`; the first prompt waits for them. */
  begin(session: { resumed: boolean; mode: string }): void;
  /** Runs the hooks of `session_end`; resolves when they are over. Never rejects. A second call does nothing. */
  end(): Promise<void>;
}

/** The hooks of the configuration as callbacks around prompts, tools, compactions and ends of runs. */
export function createHooks(options: HookOptions): Hooks {
  const { hooks, problems } = readHooks(options.settings, (glob) => options.paths.check(glob));
  for (const problem of problems) options.onNotice(problem);
  const context: HookContext = {
    ask: options.ask,
    fingerprint: (path) => options.fingerprint(path),
    run: (hook, occasion, signal) =>
      runHook(hook, hookInput(occasion, options.sessionId, options.cwd), options, signal),
    tell: (hook, why) => options.onNotice(`${hook.name} (${hook.event}) ${why}`),
    matches: (hook, call) => matchesCall(hook.tools, call, (glob, path) => options.paths.matches(glob, path)),
  };
  const session = new SessionHooks(
    hooks.filter(({ event }) => event.startsWith("session_")),
    context,
  );
  return {
    callbacks: [session.callbacks, ...hooks.flatMap((hook) => callbacksFor(hook, context))],
    begin: (facts) => session.begin(facts),
    end: () => session.end(),
  };
}

function callbacksFor(hook: Hook, context: HookContext): Callbacks[] {
  if (hook.event === "before_tool") return [beforeToolHook(hook, context)];
  if (hook.event === "after_tool") return [afterToolHook(hook, context)];
  if (hook.event === "prompt") return [promptHook(hook, context)];
  if (hook.event === "before_compact") return [compactHook(hook, context)];
  if (hook.event === "stop") return [stopHook(hook, context)];
  return [];
}
