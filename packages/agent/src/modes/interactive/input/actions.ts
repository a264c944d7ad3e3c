/** Every action that a key can have, with its stable id. `/keys`, `/help` and the configuration's `keybindings` use these ids. */
import { type KeyId, TUI_KEYBINDINGS } from "@earendil-works/pi-tui";

export type ActionGroup = "program" | "prompt" | "transcript" | "editing" | "menus";

/**
 * Where a key of the action is looked at. Actions of one scope, and those of `global`, `screen` and `editor` among each other, can
 * stand in each other's way; a menu only has its own keys.
 */
export type ActionScope = "global" | "screen" | "editor" | "menu";

export interface ActionDefinition {
  readonly keys: readonly KeyId[];
  /** One line, no full stop. */
  readonly description: string;
  readonly group: ActionGroup;
  readonly scope: ActionScope;
  /** The action of the terminal library that gets these keys. */
  readonly drives?: string;
}

const program = (keys: readonly KeyId[], description: string): ActionDefinition => ({
  keys,
  description,
  group: "program",
  scope: "global",
});
const prompt = (keys: readonly KeyId[], description: string): ActionDefinition => ({
  keys,
  description,
  group: "prompt",
  scope: "global",
});
const scroll = (keys: readonly KeyId[], description: string, drives: string): ActionDefinition => ({
  keys,
  description,
  group: "transcript",
  scope: "screen",
  drives: `tui.altScreen.${drives}`,
});

const APP_ACTIONS = {
  "app.interrupt": program(["escape"], "Close what is open, else stop the answer"),
  "app.clear": program(["ctrl+c"], "Clear the prompt, else stop the answer, else (twice) quit"),
  "app.exit": program(["ctrl+d"], "Quit, when the prompt is empty"),
  "app.suspend": program(["ctrl+z"], "Suspend to the shell (fg brings it back)"),
  "app.model.choose": program(["ctrl+l"], "Choose a model"),
  "app.tools.toggle": program(["ctrl+o"], "Show or fold the output of tools"),
  "app.thinking.toggle": program(["ctrl+t"], "Show or fold the thinking"),
  "app.transcript.search": {
    ...program(["ctrl+shift+f", "f3"], "Search the transcript"),
    group: "transcript",
  },
  "app.follow_up": prompt(["alt+enter"], "While an answer runs: send after it; else a new line"),
  "app.queue.edit": prompt(["alt+up"], "Take waiting prompts back for editing"),
  "app.history.search": prompt(["ctrl+r"], "Search earlier prompts"),
  "app.editor.external": prompt(["ctrl+g"], "Write the prompt in $VISUAL or $EDITOR"),
  "app.image.paste": prompt(["ctrl+v", "alt+v"], "Paste an image from the clipboard"),
  "app.scroll.pageUp": scroll(["pageUp"], "Scroll up a page", "pageUp"),
  "app.scroll.pageDown": scroll(["pageDown"], "Scroll down a page", "pageDown"),
  "app.scroll.halfPageUp": scroll([], "Scroll up half a page", "halfPageUp"),
  "app.scroll.halfPageDown": scroll([], "Scroll down half a page", "halfPageDown"),
  "app.scroll.lineUp": scroll([], "Scroll up a line", "lineUp"),
  "app.scroll.lineDown": scroll([], "Scroll down a line", "lineDown"),
  "app.scroll.top": scroll(["ctrl+home"], "Scroll to the start", "top"),
  "app.scroll.bottom": scroll(["ctrl+end"], "Scroll to the end", "bottom"),
  "app.scroll.previousPrompt": scroll(["ctrl+up"], "Scroll to the previous prompt", "previousPrompt"),
  "app.scroll.nextPrompt": scroll(["ctrl+down"], "Scroll to the next prompt", "nextPrompt"),
} satisfies Record<string, ActionDefinition>;

export type AppAction = keyof typeof APP_ACTIONS;

/** Keys of the library that we set otherwise. Its own search draws the whole transcript; ours is `app.transcript.search`. */
const OTHER_KEYS: Readonly<Record<string, readonly KeyId[]>> = {
  "tui.editor.undo": ["ctrl+-", "ctrl+_", "ctrl+/"],
};
const CLEARER: Readonly<Record<string, string>> = {
  "tui.input.newLine": "New line (also \\ and Enter)",
  "tui.input.submit": "Send the prompt",
  "tui.input.tab": "Complete",
  "tui.editor.yank": "Insert what was cut last",
  "tui.editor.yankPop": "Instead of that, what was cut before",
};

function libraryActions(): [string, ActionDefinition][] {
  return Object.entries(TUI_KEYBINDINGS)
    .filter(([id]) => !id.startsWith("tui.altScreen.") && id !== "tui.input.copy")
    .map(([id, definition]) => {
      const keys = definition.defaultKeys as KeyId | readonly KeyId[];
      const menu = id.startsWith("tui.select.");
      return [
        id,
        {
          keys: OTHER_KEYS[id] ?? (typeof keys === "string" ? [keys] : keys),
          description: CLEARER[id] ?? definition.description,
          group: menu ? "menus" : "editing",
          scope: menu ? "menu" : "editor",
        },
      ];
    });
}

/** All actions by id: ours first, then the editor's and the menus'. */
export const ACTIONS: ReadonlyMap<string, ActionDefinition> = new Map<string, ActionDefinition>([
  ...Object.entries(APP_ACTIONS),
  ...libraryActions(),
]);

/** The ids of our own actions, in the order in which a key is looked up. */
export const APP_ACTION_IDS = Object.keys(APP_ACTIONS) as readonly AppAction[];
