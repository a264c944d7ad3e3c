import { isCliLine } from "agentic-remem/cli";
import type { CommandDefinition } from "../contract/command.ts";

/** What `pi memory` needs of the world. */
export interface MemoryPorts {
  memory: {
    /** Runs a command line of `remem` on the memory that pi uses; it prints by itself. Gives the exit code. */
    run(argv: readonly string[], signal: AbortSignal): Promise<number>;
  };
}

/** `pi memory …`: everything that `remem` can do. Its words and options are read by `remem` itself. */
export const memoryCommand: CommandDefinition<MemoryPorts> = {
  name: "memory",
  summary: "look at, add to, review, export and erase what is remembered (pi memory help tells more)",
  usage:
    "pi memory add|list|show|search|edit|forget|review|export|import|status|doctor|… (see: pi memory help)",
  options: [],
  accepts: ({ words }) => isCliLine(words),
  run: async ({ words }, { memory }, signal) => ({ exitCode: await memory.run(words, signal), blocks: [] }),
};
