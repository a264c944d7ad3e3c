/** What Enter does, from the text and the open menu. */
import type { SlashCommandInfo } from "../../../contract/slash-command.ts";
import { commandNamed, matchCommands } from "./command-names.ts";

export interface EnterState {
  /** The whole text of the editor. */
  text: string;
  cursorAtEnd: boolean;
  /** The menu that is open for this very text: its marked row, and whether the person moved to it. */
  menu: { value: string; moved: boolean; prefix: string } | null;
  /** The menu was closed with Esc, and nothing was typed since. */
  dismissed: boolean;
  commands: readonly SlashCommandInfo[];
}

export type EnterEffect =
  /** Send what stands there. */
  | { do: "send" }
  /** Put the text in and send it. */
  | { do: "run"; text: string }
  /** Put the text in and go on typing. */
  | { do: "insert"; text: string }
  /** Take the menu's marked row. */
  | { do: "complete" };

const NAME_ONLY = /^\s*\/([^\s/]*)$/;
const WITH_ARGUMENT = /^\s*\/[^\s/]+[ \t]+(.*)$/;

/**
 * A command that is typed out runs, whatever the menu marks, unless the person moved the mark. A part of a name runs the command when it
 * takes no argument, else it becomes the name and a space. In every other menu Enter takes the marked row; when that would change
 * nothing, or nothing was typed for it yet, it sends.
 */
export function enterEffect(state: EnterState): EnterEffect {
  const { menu } = state;
  const name = state.cursorAtEnd ? NAME_ONLY.exec(state.text) : null;
  if (name) return commandEffect(name[1]!, state);
  if (menu === null) return { do: "send" };
  const argument = WITH_ARGUMENT.exec(state.text);
  if (argument && argument[1] === menu.prefix) {
    if (argument[1] === menu.value) return { do: "send" };
    if (argument[1].trim() === "" && !menu.moved) return { do: "send" };
  }
  if (!menu.moved && (menu.prefix === `@${menu.value}` || menu.prefix === menu.value)) return { do: "send" };
  return { do: "complete" };
}

function commandEffect(typed: string, { menu, dismissed, commands }: EnterState): EnterEffect {
  if (!menu?.moved && commandNamed(typed, commands) !== undefined) return { do: "send" };
  // Typed faster than the menu could open: what it would have marked.
  const chosen = menu
    ? commandNamed(menu.value, commands)
    : dismissed || typed === ""
      ? undefined
      : matchCommands(typed, commands)[0]?.command;
  if (chosen === undefined) return { do: "send" };
  return chosen.argumentHint === ""
    ? { do: "run", text: `/${chosen.name}` }
    : { do: "insert", text: `/${chosen.name} ` };
}
