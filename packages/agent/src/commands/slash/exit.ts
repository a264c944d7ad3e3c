import type { SlashCommand } from "../../contract/slash-command.ts";
import { slashInfo } from "./slash-infos.ts";

export interface ExitPorts {
  program: {
    /** Ends the program in order: the session saved, every child ended, the terminal restored. */
    quit(): void;
  };
}

/** `/exit`: ends pi. */
export const exitCommand: SlashCommand<ExitPorts> = {
  ...slashInfo("exit"),
  async run(_argument, { ports }) {
    ports.program.quit();
    return { blocks: [] };
  },
};
