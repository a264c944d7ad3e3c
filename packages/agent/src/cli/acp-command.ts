import type { CommandDefinition } from "../contract/command.ts";

export interface AcpPorts {
  /** Serves the editor on stdin and stdout; gives the exit code. */
  acp: { serve(): Promise<number> };
}

/** `pi acp`: an editor's agent, over the Agent Client Protocol on stdin and stdout. */
export const acpCommand: CommandDefinition<AcpPorts> = {
  name: "acp",
  summary: "serve an editor over the Agent Client Protocol (docs/acp.md)",
  usage: "pi acp",
  options: [],
  accepts: ({ words }) => words.length === 0,
  run: async (_parsed, { acp }) => ({ exitCode: await acp.serve(), blocks: [] }),
};
