import {
  getKeybindings,
  type Keybinding,
  KeybindingsManager,
  type KeyId,
  matchesKey,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui";
import type { AppAction } from "../input/actions.ts";
import type { Keymap } from "../input/keymap.ts";

/** Actions of Pi's that have another name here. Of the same name are app.interrupt, app.clear, app.exit, app.suspend, …. */
const OUR_NAMES: Readonly<Record<string, AppAction>> = {
  "app.model.select": "app.model.choose",
  "app.tools.expand": "app.tools.toggle",
  "app.message.followUp": "app.follow_up",
  "app.message.dequeue": "app.queue.edit",
  "app.clipboard.pasteImage": "app.image.paste",
};

/** Keys of Pi's lists, which extensions use in lists of their own; there is no such action here that they could be bound to. */
const PI_ONLY: Readonly<Record<string, readonly KeyId[]>> = {
  "app.thinking.cycle": ["shift+tab"],
  "app.model.cycleForward": ["ctrl+p"],
  "app.model.cycleBackward": ["shift+ctrl+p"],
  "app.message.copy": ["ctrl+x"],
  "app.models.save": ["ctrl+s"],
  "app.models.enableAll": ["ctrl+a"],
  "app.models.clearAll": ["ctrl+x"],
  "app.session.rename": ["ctrl+r"],
  "app.session.delete": ["ctrl+d"],
  "app.session.togglePath": ["ctrl+p"],
  "app.session.toggleSort": ["ctrl+s"],
  "app.tree.foldOrUp": ["ctrl+left", "alt+left"],
  "app.tree.unfoldOrDown": ["ctrl+right", "alt+right"],
};

/** Pi's table of keys over ours: actions by Pi's names, keys as the person has set them here. It cannot be changed by an extension. */
export class PiKeybindings extends KeybindingsManager {
  readonly #keymap: () => Keymap;

  constructor(keymap: () => Keymap) {
    super(TUI_KEYBINDINGS);
    this.#keymap = keymap;
  }

  override matches(data: string, action: Keybinding | string): boolean {
    if (action.startsWith("tui.")) return getKeybindings().matches(data, action as Keybinding);
    return this.getKeys(action).some((key) => matchesKey(data, key));
  }

  override getKeys(action: Keybinding | string): KeyId[] {
    if (action.startsWith("tui.")) return getKeybindings().getKeys(action as Keybinding);
    const name = Object.hasOwn(OUR_NAMES, action) ? OUR_NAMES[action]! : action;
    const ours = this.#keymap().keys(name) as readonly KeyId[];
    return [...(ours.length === 0 && Object.hasOwn(PI_ONLY, action) ? PI_ONLY[action]! : ours)];
  }

  override setUserBindings(): void {
    // The person's configuration decides.
  }

  /** `ctrl+o`, or all keys of the action with `/` between; "" when it has none. */
  readonly keyText = (action: string): string => this.getKeys(action).join("/");
}
