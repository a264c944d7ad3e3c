import type { CommandBlock } from "../../contract/command.ts";
import type { ArgumentCompletion, SlashCommand, SlashOutcome } from "../../contract/slash-command.ts";
import { completeWords, firstWord } from "./shared/complete-words.ts";
import { refused, table, text } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

export interface ExtensionsPorts {
  extensions: {
    /** Why this run has none; null when it may have some. */
    off(): string | null;
    list(): readonly ListedExtension[];
    /** What was named and could not be found; each a sentence. */
    problems(): readonly string[];
    /** Loads all anew, with files as they are now. Rejects with a PiError. */
    reload(): Promise<void>;
    /** Whether an extension has this command. */
    has(name: string): boolean;
    /** Runs a command of an extension. Rejects with a PiError when it fails. */
    run(name: string, argument: string, signal: AbortSignal): Promise<void>;
    complete(name: string, argument: string, signal: AbortSignal): Promise<readonly ArgumentCompletion[]>;
  };
}

/** Paths are fit to be shown. */
export interface ListedExtension {
  name: string;
  file: string;
  /** `idle`: loaded, and has registered nothing. */
  state: "ready" | "idle" | "failed";
  /** Why it failed. */
  error?: string;
  loadMs: number;
  tools: readonly string[];
  /** Without the slash. */
  commands: readonly string[];
  faults: readonly { where: string; message: string; times: number }[];
}

/** `/extensions [reload]`: the extensions of this run, what they brought, and what went wrong in them. */
export const extensionsCommand: SlashCommand<ExtensionsPorts> = {
  ...slashInfo("extensions"),
  complete: async (argument) =>
    completeWords(argument, [
      ["list", "all extensions, and what went wrong in them"],
      ["reload", "load all anew"],
    ]),
  async run(argument, { ports: { extensions } }) {
    const off = extensions.off();
    if (off !== null) return refused(`There are no extensions in this run: ${off}.`);
    const [word, rest] = firstWord(argument);
    if ((word === "" || word === "list") && rest === "") return listed(extensions);
    if (word !== "reload" || rest !== "")
      return refused(`/extensions does not know "${argument}".`, "/extensions, or /extensions reload.");
    await extensions.reload();
    return listed(extensions);
  },
};

/** The command `name` of an extension. What it has to say it says itself. */
export function commandOfExtension(name: string): SlashCommand<ExtensionsPorts> {
  return {
    name,
    summary: "",
    group: "project",
    complete: (argument, { extensions }, signal) => extensions.complete(name, argument, signal),
    async run(argument, { ports: { extensions }, signal }) {
      await extensions.run(name, argument, signal);
      return { blocks: [] };
    },
  };
}

function listed({ list, problems }: ExtensionsPorts["extensions"]): SlashOutcome {
  const all = list();
  const blocks: CommandBlock[] = [];
  if (all.length === 0)
    blocks.push(text("There are no extensions. docs/extensions.md says where they are looked for."));
  else
    blocks.push(
      table(
        ["extension", "", "tools", "commands", "loaded in"],
        all.map(({ name, file, state, tools, commands, loadMs }) => [
          name,
          state === "ready" ? file : `${state}: ${file}`,
          tools.join(", "),
          commands.map((command) => `/${command}`).join(", "),
          `${Math.round(loadMs)} ms`,
        ]),
      ),
    );
  const failed = all.filter(({ error }) => error !== undefined).map(({ name, error }) => [name, error!]);
  if (failed.length > 0) blocks.push(table(["not loaded", "why"], failed));
  const faults = all.flatMap(({ name, faults: some }) =>
    some.map(({ where, message, times }) => [
      name,
      where,
      times === 1 ? message : `${message} (${times} times)`,
    ]),
  );
  if (faults.length > 0) blocks.push(table(["went wrong", "in", ""], faults));
  for (const problem of problems()) blocks.push(text(problem));
  return { blocks };
}
