import { truncateToWidth } from "@earendil-works/pi-tui";
import type { ExtensionSource } from "../../../contract/extension-surface.ts";
import { ownSequencesOnly } from "./drawn-rows.ts";
import type { Toolbox } from "./toolbox.ts";

/** The most columns of a word in the status line. */
const MOST_COLUMNS = 40;

/** Short texts of extensions in the status line, each by its key. */
export class StatusWords {
  readonly #toolbox: Toolbox;
  readonly #words = new Map<string, { text: string; remove: () => void }>();
  readonly #ids = new WeakMap<ExtensionSource, number>();
  #nextId = 0;

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
    toolbox.ports.themes.onChange(() => this.#show());
  }

  /** Undefined or an empty text takes it away. */
  set(source: ExtensionSource, key: string, text: string | undefined): void {
    const id = `${this.#idOf(source)} ${key}`;
    const shown = this.#words.get(id);
    const line = text === undefined || text === null ? "" : String(text).replace(/\s+/g, " ").trim();
    if (line === shown?.text) return;
    // A word that changes keeps its place among the others.
    if (shown && line !== "") shown.text = line;
    else if (shown) shown.remove();
    else if (line !== "")
      this.#words.set(id, {
        text: line,
        remove: this.#toolbox.owned.add(source, () => {
          this.#words.delete(id);
          this.#show();
        }),
      });
    this.#show();
  }

  /** By the extensions' keys, as Pi's footers read them. */
  byKey(): ReadonlyMap<string, string> {
    return new Map([...this.#words].map(([id, { text }]) => [id.slice(id.indexOf(" ") + 1), text]));
  }

  #show(): void {
    const { status, themes, tui } = this.#toolbox.ports;
    const words = [...this.#words.values()].map(({ text }) => {
      const safe = truncateToWidth(ownSequencesOnly(text), MOST_COLUMNS, "…");
      return safe.includes("\x1b[") ? safe : themes.current.color.muted(safe);
    });
    status.setWords(words);
    tui.requestRender();
  }

  #idOf(source: ExtensionSource): number {
    const id = this.#ids.get(source) ?? this.#nextId++;
    this.#ids.set(source, id);
    return id;
  }
}
