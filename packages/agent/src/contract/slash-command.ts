/** Slash commands (`/model`): one file each, arguments as text, results as data; `/help`, completion and docs are derived from the list. */
import type { CommandBlock } from "./command.ts";

export type CommandGroup = "conversation" | "project" | "model" | "display" | "program";

const NAME = String.raw`\p{L}[\p{L}\p{M}\p{N}_:.-]*`;
const LINE = new RegExp(`^\\s*/(${NAME})(?:\\s+([\\s\\S]*))?$`, "u");
const WHOLE_NAME = new RegExp(`^${NAME}$`, "u");

/**
 * `/name arguments`, of a slash and a word of letters (of any script), digits, `-`, `_`, `:` or `.`; null for any other text. A path
 * (`/etc/hosts is …`) is none.
 */
export function slashLine(text: string): { name: string; argument: string } | null {
  const [, name, argument = ""] = LINE.exec(text) ?? [];
  return name === undefined ? null : { name, argument: argument.trim() };
}

/** Whether a command of this name can be typed. */
export function isCommandName(name: string): boolean {
  return WHOLE_NAME.test(name);
}

export interface ArgumentCompletion {
  /** What is inserted for the argument. */
  value: string;
  label: string;
  description?: string;
}

/** What a command did: data that each surface shows its own way. */
export interface SlashOutcome {
  blocks: CommandBlock[];
  /** It could not do what was asked; the blocks say why and what to do. */
  failed?: true;
  /** The person dismissed a question: nothing was done, and on a command line that is no success. */
  declined?: true;
}

/** Questions to the person, while a command or a tool call waits. Each resolves with null (or false) when it is dismissed or aborted. */
export interface Dialogs {
  /** Picks one entry of a list that can be filtered by typing. */
  choose<T>(question: ChoiceQuestion<T>, signal?: AbortSignal): Promise<T | null>;
  confirm(question: ConfirmQuestion, signal?: AbortSignal): Promise<boolean>;
  /** One line of text. */
  ask(question: TextQuestion, signal?: AbortSignal): Promise<string | null>;
}

export interface ChoiceQuestion<T> {
  title: string;
  /** Shown above the list: text made safe by the surface, in lines. */
  detail?: string;
  choices: readonly { value: T; label: string; description?: string }[];
  /** Index of the choice that is marked first. */
  initial?: number;
  /** It comes while the person may be typing something else: keys are ignored for a moment. */
  unasked?: boolean;
  /** Whether typing filters; default true from 8 choices on. */
  filter?: boolean;
  /** Hears which choice is marked, first `initial` and then each change; for a live preview. */
  onMark?(value: T): void;
}

export interface ConfirmQuestion {
  title: string;
  detail?: readonly CommandBlock[];
  /** Words on the two answers; default "Yes" and "No". Enter gives `yes`, Esc `no`. */
  yes?: string;
  no?: string;
}

export interface TextQuestion {
  title: string;
  initial?: string;
  /** Shown as dots, and kept out of every history. */
  secret?: boolean;
}

export interface SlashContext<Ports> {
  ports: Ports;
  dialogs: Dialogs;
  /** Aborted by Esc. */
  signal: AbortSignal;
}

/** What lists of commands show. */
export interface SlashCommandInfo {
  /** Without the slash. */
  name: string;
  aliases: readonly string[];
  /** One line, no full stop. */
  summary: string;
  /** What may follow the name, e.g. `[provider/model | role]`; empty when nothing may. */
  argumentHint: string;
  group: CommandGroup;
  /** `idle`: refused while a run is in progress. */
  during: "any" | "idle";
  /** True when it has completions for its argument. */
  completes: boolean;
}

/** One command. `Ports` is what it needs of the world; `cli/` hands it over. */
export interface SlashCommand<Ports> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly argumentHint?: string;
  readonly group: CommandGroup;
  /** Default `any`. */
  readonly during?: "any" | "idle";
  complete?(argument: string, ports: Ports, signal: AbortSignal): Promise<readonly ArgumentCompletion[]>;
  /** `argument` is what follows the name, trimmed. A thrown PiError is shown as a failed outcome. */
  run(argument: string, context: SlashContext<Ports>): Promise<SlashOutcome>;
}
