import { CliError } from "../cli-error.ts";
import type { CommandDefinition } from "../command.ts";
import { noStore } from "../no-store.ts";
import { counted } from "../output/memory-view.ts";

const AT_ONCE = 500;

/** `remem reembed`: makes the vectors that are missing. */
export const reembedCommand: CommandDefinition = {
  name: "reembed",
  summary: "make the vectors that are missing",
  usage: "",
  words: { least: 0, most: 0 },
  options: {},
  notes: [
    "Needed after the embedder was changed in the settings. It may be stopped and run again; words are searched meanwhile.",
  ],
  async run({ memory, world }) {
    if ((await memory.reading()) === undefined) return { blocks: [await noStore(memory)], data: { made: 0 } };
    const opened = await memory.writing();
    const engine = await memory.engine(opened);
    if ((await engine.vectorStatus()) === undefined)
      return { blocks: ["Only words are compared: the settings name no embedder."], data: { made: 0 } };
    let made = 0;
    for (let stage = AT_ONCE; stage > 0 && !world.signal.aborted; ) {
      stage = await engine.refreshVectors(AT_ONCE, world.signal);
      made += stage;
      if (stage > 0 && world.output.isTerminal) await world.output.err(`\r${counted(made, "vector")} made`);
    }
    if (made > 0 && world.output.isTerminal) await world.output.err("\n");
    const status = (await engine.vectorStatus())!;
    const missing = status.memories - status.settled;
    if (missing > 0)
      throw new CliError(
        "vectors_missing",
        `${counted(made, "vector")} made, ${missing} missing${status.trouble === undefined ? ": another program may be making them" : ` (${status.trouble})`}`,
        "run it again; search compares words meanwhile",
      );
    return {
      blocks: [
        made === 0
          ? `All ${status.memories} memories have their vectors.`
          : `Made ${counted(made, "vector")}; ${status.settled} of ${status.memories} memories have theirs.`,
      ],
      data: { made, settled: status.settled, memories: status.memories, space: status.fingerprint },
    };
  },
};
