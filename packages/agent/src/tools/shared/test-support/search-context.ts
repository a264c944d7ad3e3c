import type { ToolContext } from "../../../contract/tool.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createProcessRegistry } from "../../../platform/processes/registry.ts";
import { findRipgrep } from "../../../platform/ripgrep.ts";
import { fileToolContext } from "./file-tool-context.ts";

/** A tool context with real processes, in a workspace's clean environment; disposal ends them. */
export function processToolContext(
  root: string,
  environment: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): ToolContext & AsyncDisposable {
  const processes = createProcessRegistry({
    environment,
    ownerId: `test-${crypto.randomUUID()}`,
    clock: systemClock,
  });
  return {
    ...fileToolContext(root),
    processes,
    ...(signal === undefined ? {} : { signal }),
    [Symbol.asyncDispose]: () => processes.endAll(),
  };
}

/** Both engines of the search tools: every answer must be the same. */
export const ENGINES = {
  ripgrep: () => findRipgrep("/nonexistent"),
  "built-in": async () => null,
} as const;
