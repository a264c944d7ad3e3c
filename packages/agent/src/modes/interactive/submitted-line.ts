import { type SlashCommandInfo, slashLine } from "../../contract/slash-command.ts";

/** What a line that was sent from the editor asks for. */
export type Submitted =
  | { kind: "prompt" }
  | { kind: "command"; name: string; argument: string }
  /** `!command` (its output goes into the context) or `!!command` (kept out). */
  | { kind: "shell"; command: string; keep: boolean };

/**
 * Reads a submitted text. A first word that looks like a command's name is one, also when nobody knows it (the host then says so with
 * near names), unless more of a path follows. A text that begins with `//` is a prompt.
 */
export function readSubmitted(text: string, commands: readonly SlashCommandInfo[]): Submitted {
  const line = text.trim();
  if (line.startsWith("!!") && line.length > 2)
    return { kind: "shell", command: line.slice(2).trim(), keep: false };
  if (line.startsWith("!") && line.slice(1).trim() !== "")
    return { kind: "shell", command: line.slice(1).trim(), keep: true };
  const typed = slashLine(line);
  if (typed === null) return { kind: "prompt" };
  const word = typed.name.toLowerCase();
  // Names of extensions and templates may have capitals; two may differ in nothing else.
  const known =
    commands.find(({ name }) => name === typed.name) ??
    commands.find(({ name, aliases }) => name.toLowerCase() === word || aliases.includes(word));
  return { kind: "command", name: known?.name ?? word, argument: typed.argument };
}
