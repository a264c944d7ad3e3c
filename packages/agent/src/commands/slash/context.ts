import type { SlashCommand } from "../../contract/slash-command.ts";
import { contextBlocks } from "./shared/context-layout.ts";
import type { ContextReport } from "./shared/context-report.ts";
import { slashInfo } from "./slash-infos.ts";

export interface ContextPorts {
  context: {
    /** Where the tokens of the next request would go. */
    report(signal: AbortSignal): Promise<ContextReport>;
  };
}

/** `/context`: where every token of the window goes, what the service really counted, and the day's budget. */
export const contextCommand: SlashCommand<ContextPorts> = {
  ...slashInfo("context"),
  async run(_argument, { ports, signal }) {
    return { blocks: contextBlocks(await ports.context.report(signal)) };
  },
};
