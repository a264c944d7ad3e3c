import { FLAGS, type FlagDefinition } from "./flag-table.ts";

/** The text of `pi --help`; sub-commands come from their definitions. */
export function helpText(commands: readonly { usage: string; summary: string }[]): string {
  const rows = FLAGS.filter((flag: FlagDefinition) => flag.hidden !== true).map((flag: FlagDefinition) => ({
    left: `${flag.short ? `-${flag.short}, ` : "    "}--${flag.name}${flag.value ? ` <${flag.value}>` : ""}`,
    right: flag.summary,
  }));
  return [
    "pi: a coding agent for the terminal",
    "",
    "  pi [options] [prompt ...]     answer the prompt; piped input is added to it",
    ...commands.map(({ usage, summary }) => `  ${firstLine(usage).padEnd(28)}  ${summary}`),
    "",
    "Options",
    ...rows.map(({ left, right }) => `  ${left.padEnd(38)}  ${right}`),
    "",
    "Exit codes: 0 answered, 1 failed or no answer, 2 usage, 3 a limit was reached, 4 no key or no such model,",
    "124 timed out, 130 interrupted, 143 terminated.",
    "",
    "Files: ~/.pi-go/ (config.json, .env, sessions, log; PI_HOME moves it) and .pi-go/ in a project.",
    "",
  ].join("\n");
}

/** A command with several forms names them all in its own help. */
function firstLine(usage: string): string {
  return usage.split("\n", 1)[0]!;
}
