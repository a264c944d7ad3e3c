import type { CommandDefinition, OptionDefinition } from "./command.ts";
import { COMMANDS } from "./command-table.ts";
import type { Block } from "./output/block.ts";
import { COMMON_OPTIONS } from "./parse-line.ts";

/** What `remem help` says. */
export async function overview(program: string): Promise<Block[]> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  return [
    `usage: ${program} COMMAND [OPTION …]`,
    "",
    { head: [], rows: commands.map(({ name, summary }) => [`  ${name}`, summary]) },
    "",
    `${program} help COMMAND tells more. --json prints one JSON object. Exit codes: 0 done, 1 failed, 2 wrong command line, 3 nothing found.`,
  ];
}

/** What `remem help COMMAND` says. */
export function commandHelp(
  { name, summary, usage, options, notes = [] }: CommandDefinition,
  program: string,
): Block[] {
  return [
    `usage: ${program} ${name} ${usage}`.trimEnd(),
    "",
    summary,
    "",
    { head: [], rows: Object.entries({ ...options, ...COMMON_OPTIONS }).map(optionRow) },
    ...notes.flatMap((note) => ["", note]),
  ];
}

function optionRow([name, { short, value, summary }]: [string, OptionDefinition]): string[] {
  const written = `--${name}${value === undefined ? "" : ` ${value}`}`;
  return [`  ${short === undefined ? "   " : `-${short},`} ${written}`, summary];
}
