/** Hooks on real processes, in a workspace. */
import { type Workspace, workspace } from "@pi-ts/testkit";
import type { PendingCall } from "../../../contract/callbacks.ts";
import type { AskDoor, ConsentAnswer, ConsentQuestion } from "../../../contract/consent.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { ToolOutcome } from "../../../contract/tool.ts";
import { checkPathPattern, openPathPatterns } from "../../../permission/path-pattern.ts";
import { systemClock } from "../../../platform/clock.ts";
import { newId } from "../../../platform/ids.ts";
import { createProcessRegistry, type ProcessRegistry } from "../../../platform/processes/registry.ts";
import type { HookSetting } from "../hook-entry.ts";
import { createHooks, type Hooks } from "../hooks.ts";

export interface HookBench extends AsyncDisposable {
  ws: Workspace;
  hooks: Hooks;
  processes: ProcessRegistry;
  notices: string[];
  questions: ConsentQuestion[];
  /** What all hooks before a tool say to a call; each sees the input that the ones before it left. */
  before(call: PendingCall, signal?: AbortSignal): Promise<{ block?: string; input: JsonObject }>;
  /** The outcome as the hooks after a tool leave it. */
  after(call: PendingCall, outcome: ToolOutcome): Promise<ToolOutcome>;
}

/** `answers`: what the person says, in order; absent: there is nobody to ask. Variables of `environment` are the agent's own. */
export async function hookBench(
  settings: readonly HookSetting[],
  options: { answers?: ConsentAnswer[]; environment?: Record<string, string> } = {},
): Promise<HookBench> {
  const ws = await workspace();
  const notices: string[] = [];
  const questions: ConsentQuestion[] = [];
  const { answers } = options;
  const ask: AskDoor | null =
    answers === undefined
      ? null
      : {
          async decide(question) {
            questions.push(question);
            return answers.shift()!;
          },
        };
  const processes = createProcessRegistry({
    environment: ws.env(options.environment),
    ownerId: newId(),
    clock: systemClock,
  });
  const patterns = await openPathPatterns({ root: ws.path, key: (path) => ws.at(path) });
  const hooks = createHooks({
    settings,
    processes,
    shell: ["/bin/sh", "-c"],
    cwd: ws.path,
    sessionId: "session-1",
    paths: { check: checkPathPattern, matches: (glob, path) => patterns.catches(glob, path) },
    ask,
    fingerprint(path) {
      try {
        return ws.read(path);
      } catch {
        return null; // no file
      }
    },
    onNotice: (message) => notices.push(message),
  });
  const quiet = new AbortController().signal;
  return {
    ws,
    hooks,
    processes,
    notices,
    questions,
    async before(call, signal = quiet) {
      let { input } = call;
      for (const callback of hooks.callbacks) {
        const decision = await callback.beforeTool?.({ ...call, input }, signal);
        if (decision?.block !== undefined) return { block: decision.block, input };
        input = decision?.input ?? input;
      }
      return { input };
    },
    async after(call, outcome) {
      let current = outcome;
      for (const callback of hooks.callbacks)
        current = (await callback.afterTool?.(call, current, quiet)) ?? current;
      return current;
    },
    async [Symbol.asyncDispose]() {
      await processes.endAll();
      await ws[Symbol.asyncDispose]();
    },
  };
}

export function callOf(name: string, input: JsonObject = {}): PendingCall {
  return { id: `call-${name}`, name, kind: "edit", input };
}

export function outcomeOf(text: string, details: JsonObject = {}): ToolOutcome {
  return { outcome: "found", text, isError: false, details };
}
