import type { CommandBlock } from "../../contract/command.ts";
import type {
  CommandGroup,
  SlashCommand,
  SlashCommandInfo,
  SlashOutcome,
} from "../../contract/slash-command.ts";
import type { KeysPorts } from "./keys.ts";
import { completeWords } from "./shared/complete-words.ts";
import { keyTables } from "./shared/key-tables.ts";
import type { NearPort } from "./shared/near-port.ts";
import { table, text } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";
import { SLASH_USAGE, type SlashUsage } from "./slash-usage.ts";
import { unknownCommand } from "./unknown-command.ts";

export interface HelpPorts extends KeysPorts, NearPort {
  help: {
    /** Every command that can be typed, in the order of lists. */
    commands(): readonly SlashCommandInfo[];
  };
}

const GROUPS: Readonly<Record<CommandGroup, string>> = {
  conversation: "Conversation",
  project: "Project",
  model: "Model",
  display: "Display",
  program: "Program",
};

/** `/help [command]`: all commands by group and all keys, or one command in detail. */
export const helpCommand: SlashCommand<HelpPorts> = {
  ...slashInfo("help"),
  async complete(argument, { help }) {
    return completeWords(
      argument,
      help.commands().map(({ name, summary }) => [name, summary] as const),
    );
  },
  async run(argument, { ports }) {
    const commands = ports.help.commands();
    const name = argument.replace(/^\//, "").toLowerCase();
    if (name === "") return { blocks: [...commandTables(commands), ...keyTables(ports.keys.list())] };
    const command = commands.find((entry) => entry.name === name || entry.aliases.includes(name));
    return command === undefined ? unknownCommand(name, commands, ports) : detail(command);
  },
};

function commandTables(commands: readonly SlashCommandInfo[]): CommandBlock[] {
  return (Object.keys(GROUPS) as CommandGroup[]).flatMap((group) => {
    const rows = commands
      .filter((command) => command.group === group)
      .map(({ name, summary, aliases }) => [`/${name}`, summary + also(aliases)]);
    return rows.length === 0 ? [] : [table([GROUPS[group], ""], rows)];
  });
}

function detail(command: SlashCommandInfo): SlashOutcome {
  const { name, summary, aliases, argumentHint, during } = command;
  const usage = Object.hasOwn(SLASH_USAGE, name)
    ? (SLASH_USAGE as Readonly<Record<string, SlashUsage | undefined>>)[name]
    : undefined;
  return {
    blocks: [
      text(`/${name}${argumentHint === "" ? "" : ` ${argumentHint}`}: ${summary}${also(aliases)}.`),
      ...(usage === undefined
        ? []
        : [
            table(
              [],
              usage.map(([form, meaning]) => [form, meaning]),
            ),
          ]),
      ...(during === "idle" ? [text("It waits until no answer is in progress.")] : []),
    ],
  };
}

function also(aliases: readonly string[]): string {
  return aliases.length === 0 ? "" : ` (also ${aliases.map((alias) => `/${alias}`).join(", ")})`;
}
