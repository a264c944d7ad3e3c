/** What the text in the editor is: a prompt, a slash command, or a shell command. */
import { slashLine } from "../../../contract/slash-command.ts";

export type PromptKind =
  | "prompt"
  /** `/name …` */
  | "command"
  /** `!command`: the model sees it and its output. */
  | "shell"
  /** `!!command`: the model sees nothing of it. */
  | "shell-private";

/**
 * The kind of a text as it stands in the editor, with long pastes still folded: text of a paste never turns a prompt into a command by
 * what it begins with, unless it can be seen. A path (`/usr/bin/env`) is no command.
 */
export function promptKind(text: string): PromptKind {
  const start = text.trimStart();
  if (start.startsWith("!!")) return "shell-private";
  if (start.startsWith("!")) return "shell";
  return start === "/" || slashLine(start) !== null ? "command" : "prompt";
}
