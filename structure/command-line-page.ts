// docs/command-line.md as text: the commands, options and exit codes of pi, from the tables that they are read with.
import {
  type CommandHelp,
  EXIT_CODES,
  flagRows,
  type HelpRow,
  optionRows,
} from "../packages/agent/src/cli/help.ts";
import { commandList } from "../packages/agent/src/cli/sub-commands.ts";

/** The whole page, as `write-command-line-page.ts` writes it. */
export async function commandLinePage(): Promise<string> {
  const commands = await commandList();
  return `# Command line

<!-- Written by structure/write-command-line-page.ts from the tables of flags and commands. -->

\`\`\`
pi [options] [prompt ...]
${commands.map(({ usage }) => usage).join("\n")}
\`\`\`

Without a prompt on a terminal \`pi\` is interactive. With a prompt and input or output that is no terminal, or with \`-p\`, it answers once; piped input is added to the prompt. The first word is a command only if it is one of those below and what follows fits it: \`pi -p "…"\` and \`pi -- …\` are always prompts.

\`pi --help\` and \`pi COMMAND --help\` show the same in the terminal. Slash commands, which are typed while it runs, are in [commands.md](commands.md).

## Options

${options(flagRows())}

Of an option that is given twice the last one counts, unless it is repeatable.

## Commands

${commands.map(section).join("\n\n")}

## Exit codes

${EXIT_CODES.map(([code, meaning]) => `- \`${code}\`: ${meaning}`).join("\n")}

A command may have codes of its own: \`pi audit\` ends with 1 for critical findings, 2 for warnings and 64 for wrong usage.

## Completions

\`\`\`
eval "$(pi completions bash)"        # in ~/.bashrc
eval "$(pi completions zsh)"         # in ~/.zshrc, after compinit
pi completions fish > ~/.config/fish/completions/pi.fish
\`\`\`

Commands, options, models, providers, sessions and specs are completed from what this \`pi\` knows; no service on the network is asked for it.
`;
}

function section(command: CommandHelp): string {
  const rows = optionRows(command);
  return [
    `### pi ${command.name}`,
    `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    `\`\`\`\n${command.usage}\n\`\`\``,
    ...(rows.length === 0 ? [] : [options(rows)]),
  ].join("\n\n");
}

function options(rows: readonly HelpRow[]): string {
  return rows
    .map(({ short, form, summary }) => `- ${short === "" ? "" : `\`${short}\`, `}\`${form}\`: ${summary}`)
    .join("\n");
}
