import { type ParseArgsConfig, parseArgs } from "node:util";
import { nearestName } from "../runtime/config/nearest-name.ts";
import { usageError } from "./cli-error.ts";
import type { CommandDefinition, OptionDefinition } from "./command.ts";

/** Options that every command has. */
export const COMMON_OPTIONS: Readonly<Record<string, OptionDefinition>> = {
  json: { summary: "print one JSON object" },
  help: { short: "h", summary: "print this help" },
};

/** A command line in parts. */
export interface ParsedLine {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
}

/** Takes a command's options and words apart. Throws a usage error that names what is wrong and what was meant. */
export function parseLine(argv: readonly string[], command: CommandDefinition, program: string): ParsedLine {
  const definitions = { ...COMMON_OPTIONS, ...command.options };
  const hint = `see: ${program} help ${command.name}`;
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const [name, { value, short, multiple }] of Object.entries(definitions))
    options[name] = {
      type: value === undefined ? "boolean" : "string",
      ...(short === undefined ? {} : { short }),
      ...(multiple === undefined ? {} : { multiple }),
    };
  refuseUnknown(argv, definitions, command, hint);
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    const [what = "the command line cannot be read"] = (error as Error).message.split(/[.\n]/, 1);
    throw usageError(what.charAt(0).toLowerCase() + what.slice(1), hint);
  }
  const { positionals: words, values } = parsed;
  if (values["help"] !== true) checkWords(words, command, program);
  return { words, options: values };
}

/** parseArgs says that an option is unknown; people want to know which one they meant. */
function refuseUnknown(
  argv: readonly string[],
  definitions: Readonly<Record<string, OptionDefinition>>,
  command: CommandDefinition,
  hint: string,
): void {
  for (const argument of argv) {
    if (argument === "--") return;
    const name = /^--([^=]+)/.exec(argument)?.[1];
    if (name === undefined || Object.hasOwn(definitions, name)) continue;
    const near = nearestName(name, Object.keys(definitions));
    throw usageError(
      `${command.name} has no option --${name}`,
      near === undefined ? hint : `did you mean --${near}? ${hint}`,
    );
  }
}

function checkWords(words: readonly string[], command: CommandDefinition, program: string): void {
  const { least, most } = command.words;
  const usage = `${program} ${command.name} ${command.usage}`.trim();
  if (words.length < least) throw usageError(`${command.name} needs more than this`, `usage: ${usage}`);
  if (words.length > most)
    throw usageError(`${command.name} does not know what to do with "${words[most]}"`, `usage: ${usage}`);
}
