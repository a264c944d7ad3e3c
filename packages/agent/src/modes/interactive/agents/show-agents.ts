import type { AgentBoard } from "../../../contract/subagents.ts";
import type { DialogHost } from "../dialog/dialog-host.ts";
import { AgentsView, type AgentsViewParts } from "./agents-view.ts";

export interface ShowAgentsParts extends Pick<AgentsViewParts, "themes" | "timers" | "command"> {
  dialogs: DialogHost;
  requestRender(): void;
}

/** Shows subagents in the editor's place; resolves when the person leaves or the signal aborts. Questions stand before it meanwhile. */
export function showAgents(parts: ShowAgentsParts, board: AgentBoard, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const { dialogs, ...rest } = parts;
  const { promise, resolve } = Promise.withResolvers<void>();
  const view = new AgentsView({
    ...rest,
    board,
    // What commands answer has to be seen above it.
    rows: () => Math.max(3, Math.min(dialogs.availableRows, Math.floor(dialogs.availableRows * 0.7))),
    onClose: resolve,
  });
  const lower = dialogs.raise(view);
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise.finally(() => {
    lower();
    view.close();
  });
}
