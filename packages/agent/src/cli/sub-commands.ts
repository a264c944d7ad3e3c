import type { CommandDefinition, CommandOption, ParsedArguments } from "../contract/command.ts";
import { isPiError, PiError } from "../contract/errors.ts";
import { FLAGS, type FlagDefinition } from "./flag-table.ts";
import { type Flags, parseFlags } from "./flags.ts";
import { usageError } from "./usage-error.ts";

/** A sub-command as the command line asked for it. */
export interface FoundCommand {
  command: CommandDefinition<never>;
  parsed: ParsedArguments;
  /** Arguments that are not the command's own: flags like `--url`. */
  rest: string[];
}

const LOADERS: Readonly<Record<string, () => Promise<CommandDefinition<never>>>> = {
  acp: async () => (await import("./acp-command.ts")).acpCommand,
  audit: async () => (await import("../commands/audit.ts")).auditCommand,
  completions: async () => (await import("../commands/completions.ts")).completionsCommand,
  demo: async () => (await import("./demo/demo-command.ts")).demoCommand,
  doctor: async () => (await import("../commands/doctor.ts")).doctorCommand,
  login: async () => (await import("../commands/login.ts")).loginCommand,
  logout: async () => (await import("../commands/logout.ts")).logoutCommand,
  memory: async () => (await import("../commands/memory.ts")).memoryCommand,
  models: async () => (await import("../commands/models.ts")).modelsCommand,
  ping: async () => (await import("../commands/ping.ts")).pingCommand,
  run: async () => (await import("../commands/run.ts")).runSpecCommand,
  sessions: async () => (await import("../commands/sessions.ts")).sessionsCommand,
};

/** Commands that read the rest of their line themselves. */
const OWN_LINES: ReadonlySet<string> = new Set(["memory"]);

/** All sub-commands, for `--help`. */
export function commandList(): Promise<CommandDefinition<never>[]> {
  return Promise.all(Object.values(LOADERS).map((load) => load()));
}

/**
 * The sub-command of a command line: its first word equals one exactly and its arguments parse; else null, and the line is a
 * prompt. `argv` is what follows `pi`.
 */
export async function findCommand(argv: readonly string[]): Promise<FoundCommand | null> {
  const name = argv[0];
  if (name === undefined || !Object.hasOwn(LOADERS, name)) return null;
  const command = await LOADERS[name]!();
  const words = argv.slice(1);
  const { parsed, rest } = OWN_LINES.has(name)
    ? { parsed: { words, options: {} }, rest: [] }
    : splitArguments(words, command.options);
  if (rest.includes("-p") || rest.includes("--print")) return null;
  // Whoever asks for help does not know yet which arguments fit.
  const asksHelp = rest.includes("--help") || rest.includes("-h");
  return asksHelp || command.accepts(parsed) ? { command, parsed, rest } : null;
}

/** The flags of a sub-command's line that are not its own. Throws a usage error with the exit code that the command gives to it. */
export function commandFlags({ command, rest }: FoundCommand): Flags {
  try {
    for (const argument of rest) {
      const own = command.options.find(({ name }) => name === splitOption(argument)[0]);
      if (own?.kind === "value") throw usageError(`--${own.name} needs a value`, `see: ${command.usage}`);
      if (own) throw usageError(`--${own.name} takes no value, but has one behind its =`);
    }
    return parseFlags(rest);
  } catch (thrown) {
    if (!isPiError(thrown) || command.usageExitCode === undefined) throw thrown;
    const { code, message, hint = "see: pi --help" } = thrown;
    throw new PiError({ code, message, hint, exitCode: command.usageExitCode });
  }
}

/** Takes the command's own options out; other flags keep their place in `rest` with their values. */
function splitArguments(
  argv: readonly string[],
  options: readonly CommandOption[],
): { parsed: ParsedArguments; rest: string[] } {
  const parsed: ParsedArguments = { words: [], options: {} };
  const rest: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index]!;
    if (argument === "--") {
      parsed.words.push(...argv.slice(index + 1));
      break;
    }
    const [name, inline] = splitOption(argument);
    const option = options.find(
      (entry) => entry.name === name || (entry.short !== undefined && argument === `-${entry.short}`),
    );
    if (option?.kind === "flag" && inline === undefined) parsed.options[option.name] = true;
    else if (option?.kind === "value" && (inline ?? argv[index + 1]) !== undefined)
      parsed.options[option.name] = inline ?? argv[++index]!;
    else if (argument.startsWith("-") && argument !== "-") {
      rest.push(argument);
      if (inline === undefined && takesValue(argument) && argv[index + 1] !== undefined)
        rest.push(argv[++index]!);
    } else parsed.words.push(argument);
  }
  return { parsed, rest };
}

function splitOption(argument: string): [string | null, string | undefined] {
  if (!argument.startsWith("--")) return [null, undefined];
  const equals = argument.indexOf("=");
  return equals < 0
    ? [argument.slice(2), undefined]
    : [argument.slice(2, equals), argument.slice(equals + 1)];
}

function takesValue(argument: string): boolean {
  return VALUE_FLAGS.has(argument);
}

const VALUE_FLAGS: ReadonlySet<string> = new Set(
  FLAGS.filter((flag: FlagDefinition) => flag.value !== undefined).map((flag) => `--${flag.name}`),
);
