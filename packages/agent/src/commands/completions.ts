import type { CommandDefinition, CommandResult } from "../contract/command.ts";
import { PiError } from "../contract/errors.ts";
import type { Completion, CompletionSources } from "./completions/complete-line.ts";
import { SHELL_SCRIPTS } from "./completions/shell-scripts.ts";

/** What `pi completions` needs: the tables that the command line is read with, and what can stand for values now. */
export interface CompletionsPorts {
  completions: { sources(): Promise<CompletionSources> };
}

/** The forms that the scripts call: whether the words after them still have their quotes. */
const ASKED: Readonly<Record<string, boolean>> = { candidates: false, typed: true };

/**
 * `pi completions SHELL` prints the script that a shell loads. `pi completions candidates -- WORD…`, which the scripts call, prints what
 * the last word can be completed to; `pi completions typed -- WORD…` the same for words as they were typed, with their quotes.
 */
export const completionsCommand: CommandDefinition<CompletionsPorts> = {
  name: "completions",
  summary: 'print the completions of a shell: eval "$(pi completions bash)"',
  usage: `pi completions ${Object.keys(SHELL_SCRIPTS).join("|")}`,
  options: [],
  // One word more is a slip of the command rather than a prompt; what does not fit is said.
  accepts: ({ words: [first = "", ...more] }) => more.length === 0 || Object.hasOwn(ASKED, first),
  async run({ words: [first = "", ...words] }, { completions }) {
    if (!Object.hasOwn(ASKED, first)) return textOf(scriptFor(first));
    const { completeLine } = await import("./completions/complete-line.ts");
    const { plainWord } = await import("./completions/plain-word.ts");
    const plain = ASKED[first] ? words.map(plainWord) : words;
    return report(await completeLine(plain, await completions.sources()));
  },
};

function scriptFor(shell: string): string {
  if (Object.hasOwn(SHELL_SCRIPTS, shell)) return SHELL_SCRIPTS[shell]!.trimEnd();
  throw new PiError({
    code: "usage",
    message: shell === "" ? "there is no shell named" : `there are no completions for "${shell}"`,
    hint: completionsCommand.usage,
    exitCode: 2,
  });
}

function report({ candidates, files }: Completion): CommandResult {
  const lines = candidates
    // A line each: a value with a break in it cannot be told, and no shell could insert it.
    .filter(({ value }) => !/[\t\n\r]/.test(value))
    .map(({ value, description }) => `${value}\t${description.replaceAll(/\s+/g, " ").trim()}`);
  if (files) lines.push(":files");
  return lines.length === 0 ? { exitCode: 0, blocks: [] } : textOf(lines.join("\n"));
}

function textOf(text: string): CommandResult {
  return { exitCode: 0, blocks: [{ kind: "text", text }] };
}
