import type { SlashCommand } from "../../contract/slash-command.ts";
import { type PingPorts, pingCommand } from "../ping.ts";
import { slashInfo } from "./slash-infos.ts";

/** `/ping [text]`: asks the model of this session for a sign of life; nothing of it enters the conversation. */
export const pingSlashCommand: SlashCommand<PingPorts> = {
  ...slashInfo("ping"),
  async run(argument, { ports, signal }) {
    const words = argument === "" ? [] : [argument];
    const { exitCode, blocks } = await pingCommand.run({ words, options: {} }, ports, signal);
    return { blocks, ...(exitCode === 0 ? {} : { failed: true as const }) };
  },
};
