// docs/commands.md as text: the slash commands by group, each with its forms.
import { SLASH_INFOS, type SlashName } from "../packages/agent/src/commands/slash/slash-infos.ts";
import { SLASH_USAGE } from "../packages/agent/src/commands/slash/slash-usage.ts";

const HEADINGS = {
  conversation: "Conversation",
  project: "Project",
  model: "Model",
  display: "Display",
  program: "Program",
} as const;

/** The whole page, as `write-commands-page.ts` writes it. */
export function commandsPage(): string {
  const sections = Object.entries(HEADINGS).map(([group, heading]) => {
    const commands = SLASH_INFOS.filter((info) => info.group === group);
    return `## ${heading}\n\n${commands.map((info) => entry(info.name as SlashName)).join("\n")}`;
  });
  return `# Slash commands

Typed into the editor of the interactive mode. \`/help\` shows the same list, \`/help NAME\` one command. Commands marked "idle" wait until no answer is in progress.

<!-- Written by structure/write-commands-page.ts from the commands themselves. -->

${sections.join("\n\n")}
`;
}

function entry(name: SlashName): string {
  const { summary, argumentHint, aliases, during } = SLASH_INFOS.find((info) => info.name === name)!;
  const line = `/${name}${argumentHint === "" ? "" : ` ${argumentHint}`}`;
  const also = aliases.length === 0 ? "" : ` (also ${aliases.map((alias) => `\`/${alias}\``).join(", ")})`;
  const forms = (SLASH_USAGE[name] ?? []).map(([form, meaning]) => `  - \`${form}\`: ${meaning}`);
  return [`- \`${line}\`${also}: ${summary}${during === "idle" ? ". Idle" : ""}`, ...forms].join("\n");
}
