import { EXIT } from "../cli-error.ts";
import type { CommandDefinition } from "../command.ts";
import { parseCount } from "../input/parse-count.ts";
import { noStore } from "../no-store.ts";
import { memoryBlocks, memoryData, memoryTable } from "../output/memory-view.ts";

const MOST_AROUND = 50;

/** `remem show ID …`: everything about memories. */
export const showCommand: CommandDefinition = {
  name: "show",
  summary: "everything about one memory, or several",
  usage: "ID … [--around N]",
  words: { least: 1, most: 50 },
  options: {
    around: { value: "N", summary: "with so many memories before and after it in its session" },
  },
  async run({ words, memory, value }) {
    const around = parseCount(value("around"), "around", 0, MOST_AROUND);
    const opened = await memory.reading();
    if (opened === undefined)
      return {
        exitCode: EXIT.nothing,
        blocks: [await noStore(memory)],
        data: { memories: [], missing: words },
      };
    const found = await opened.memories.get(words);
    const known = new Set(found.map(({ id }) => id));
    const missing = words.filter((id) => !known.has(id));
    const sessions =
      around === 0
        ? []
        : await Promise.all(found.map(({ id }) => opened.memories.timeline(id, around, around)));
    return {
      exitCode: missing.length > 0 ? EXIT.nothing : EXIT.done,
      blocks: [
        ...found.flatMap((record, index) => [
          ...(index === 0 ? [] : [""]),
          ...memoryBlocks(record),
          ...(sessions[index] === undefined ? [] : ["", memoryTable(sessions[index])]),
        ]),
        ...missing.map((id) => `There is no memory with the id ${JSON.stringify(id)}.`),
      ],
      data: {
        memories: found.map((record, index) => ({
          ...memoryData(record),
          ...(sessions[index] === undefined ? {} : { around: sessions[index].map(memoryData) }),
        })),
        missing,
      },
    };
  },
};
