import type { SlashCommandInfo } from "../../contract/slash-command.ts";

/** What a line that was sent from the editor asks for. */
export type Submitted =
  | { kind: "prompt" }
  | { kind: "command"; name: string; argument: string }
  /** `!command` (its output goes into the context) or `!!command` (kept out). */
  | { kind: "shell"; command: string; keep: boolean };

/** A slash and a word of letters, digits, `-`, `_`, `:` or `.`: what can be a command's name. A path (`/etc/hosts is …`) is a prompt. */
const COMMAND = /^\/([A-Za-z][\w:.-]*)(?:\s+([\s\S]*))?$/;

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
  const match = COMMAND.exec(line);
  if (match === null) return { kind: "prompt" };
  const word = match[1]!.toLowerCase();
  const known = commands.find((entry) => entry.name === word || entry.aliases.includes(word));
  return { kind: "command", name: known?.name ?? word, argument: (match[2] ?? "").trim() };
}
