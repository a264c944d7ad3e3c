import { isKeyRelease, type KeyId, matchesKey } from "@earendil-works/pi-tui";
import type { ExtensionSource } from "../../../contract/extension-surface.ts";
import type { KeyBinding } from "../../../contract/interactive.ts";
import { keyLabel, parseKeyName, typesText } from "../input/key-names.ts";
import type { Toolbox } from "./toolbox.ts";

/** Actions whose keys no extension gets, as Pi reserves them. */
const RESERVED = [
  "app.interrupt",
  "app.clear",
  "app.exit",
  "app.suspend",
  "app.model.choose",
  "app.tools.toggle",
  "app.thinking.toggle",
  "app.editor.external",
  "app.follow_up",
  "tui.input.submit",
  "tui.select.confirm",
  "tui.select.cancel",
  "tui.editor.deleteToLineEnd",
];

interface Shortcut {
  readonly source: ExtensionSource;
  readonly key: KeyId;
  readonly description: string | undefined;
  readonly run: () => void;
}

/** Keys of extensions in the editor. Of two that want one key the first has it. */
export class Shortcuts {
  readonly #toolbox: Toolbox;
  readonly #shortcuts = new Set<Shortcut>();

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  /** Undefined: the key is reserved, types text, or is none. */
  add(
    source: ExtensionSource,
    name: string,
    description: string | undefined,
    run: () => void,
  ): (() => void) | undefined {
    const parsed = parseKeyName(name);
    if (!parsed.ok || typesText(parsed.key) || this.#isReserved(parsed.key)) return undefined;
    const shortcut = { source, key: parsed.key, description, run };
    this.#shortcuts.add(shortcut);
    this.#toolbox.ports.slots.shortcut = (data) => this.#press(data);
    return this.#toolbox.owned.add(source, () => this.#shortcuts.delete(shortcut));
  }

  /** For the list of keys. */
  list(): KeyBinding[] {
    return [...this.#shortcuts].map(({ source, key, description }) => ({
      action: source.name,
      description: description ?? "",
      keys: [keyLabel(key)],
      group: "extensions",
      changed: false,
    }));
  }

  #press(data: string): boolean {
    if (isKeyRelease(data)) return false;
    for (const { key, run, source } of this.#shortcuts) {
      // The person may have given the key to the program since.
      if (!matchesKey(data, key) || this.#isReserved(key)) continue;
      this.#toolbox.faults.guard(source, `its key ${keyLabel(key)}`, run);
      return true;
    }
    return false;
  }

  #isReserved(key: string): boolean {
    const keymap = this.#toolbox.ports.keymap();
    return RESERVED.some((action) => keymap.keys(action).includes(key));
  }
}
