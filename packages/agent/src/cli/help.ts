import { usageForms } from "../commands/completions/usage-forms.ts";
import type { CommandDefinition, CommandOption } from "../contract/command.ts";
import { FLAGS, type FlagDefinition } from "./flag-table.ts";

/** What `--help` tells of a command. */
export type CommandHelp = Pick<CommandDefinition<never>, "name" | "summary" | "usage" | "options">;

/** An option and what it is for, as help and the docs write them. */
export interface HelpRow {
  /** One letter with its dash; empty where there is none. */
  short: string;
  /** The name with its dashes and what it takes: `--limit <n>`. */
  form: string;
  summary: string;
}

/** What the process ends with, and what that means. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, "answered"],
  [1, "failed or no answer"],
  [2, "usage"],
  [3, "a limit was reached"],
  [4, "no key or no such model"],
  [124, "timed out"],
  [130, "interrupted"],
  [143, "terminated"],
];

/** Where things are kept. */
export const FILES_NOTE =
  "Files: ~/.pi-go/ (config.json, .env, sessions, log; PI_HOME moves it) and .pi-go/ in a project.";

/** The flags of `pi` that people may use. */
export function flagRows(): HelpRow[] {
  return FLAGS.filter((flag: FlagDefinition) => flag.hidden !== true).map((flag: FlagDefinition) => ({
    short: flag.short === undefined ? "" : `-${flag.short}`,
    form: `--${flag.name}${flag.value === undefined ? "" : ` <${flag.value}>`}`,
    summary: flag.summary,
  }));
}

/** The options of a command; what one takes is said by its usage. */
export function optionRows({ name: command, usage, options }: CommandHelp): HelpRow[] {
  const values = new Map(usageForms(usage, command).flatMap((form) => [...form.values]));
  return options.map(({ name, short, kind, summary }: CommandOption) => ({
    short: short === undefined ? "" : `-${short}`,
    form: `--${name}${kind === "value" ? ` <${(values.get(name) ?? "value").toLowerCase()}>` : ""}`,
    summary,
  }));
}

/** The text of `pi --help`; sub-commands come from their definitions. */
export function helpText(commands: readonly CommandHelp[]): string {
  const codes = EXIT_CODES.map(([code, meaning]) => `${code} ${meaning}`);
  return [
    "pi: a coding agent for the terminal",
    "",
    "  pi [options] [prompt ...]     answer the prompt; piped input is added to it",
    ...commands.map(({ name, summary }) => `  ${`pi ${name}`.padEnd(28)}  ${summary}`),
    "",
    "Options",
    ...columns(flagRows()),
    "",
    ...folded(`Exit codes: ${codes.join(", ")}.`),
    "",
    FILES_NOTE,
    "",
    "More on a command: pi COMMAND --help",
    "",
  ].join("\n");
}

/** The text of `pi COMMAND --help`. */
export function commandHelp(command: CommandHelp): string {
  const rows = optionRows(command);
  return [
    command.usage,
    "",
    `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    ...(rows.length === 0 ? [] : ["", "Options", ...columns(rows)]),
    "",
    "The options of pi itself (--model, --url, --trust, …) may follow: pi --help",
    "",
  ].join("\n");
}

/** Columns of an option with the space behind it; what is longer has a line of its own. */
const FORM_WIDTH = 34;
const LINE_WIDTH = 106;

function columns(rows: readonly HelpRow[]): string[] {
  return rows.flatMap(({ short, form, summary }) => {
    const left = `  ${short === "" ? "    " : `${short}, `}${form}`;
    const fits = left.length <= FORM_WIDTH;
    return fits ? [left.padEnd(FORM_WIDTH) + summary] : [left, " ".repeat(FORM_WIDTH) + summary];
  });
}

function folded(text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line === "") lines.splice(-1, 1, word);
    else if (line.length + word.length < LINE_WIDTH) lines.splice(-1, 1, `${line} ${word}`);
    else lines.push(word);
  }
  return lines;
}
