import { isKeyRelease } from "@earendil-works/pi-tui";
import type { ExtensionSource } from "../../../contract/extension-surface.ts";
import { QUIT_WINDOW_MS } from "../key-states.ts";
import type { Toolbox } from "./toolbox.ts";

type InputHandler = (data: string) => { consume?: boolean; data?: string } | undefined;

interface Listener {
  readonly source: ExtensionSource;
  readonly handler: InputHandler;
  readonly remove: () => void;
}

/** So often in a row, within two seconds each, a listener may keep a key that gets people out (Esc may go back step by step). */
const MOST_KEPT = { "app.clear": 1, "app.interrupt": 2 } as const;
type WayOut = keyof typeof MOST_KEPT;

/**
 * Extensions that hear keys before the program does. They hear nothing while a question is open, and none can keep a person in: one
 * that goes on taking Ctrl+C or Esc is turned off, and the key goes to the program.
 */
export class InputListeners {
  readonly #toolbox: Toolbox;
  readonly #listeners = new Set<Listener>();
  #mounted = false;
  #kept: { way: WayOut; at: number; by: Listener; times: number } | undefined;

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  /** The result removes it. */
  add(source: ExtensionSource, handler: InputHandler): () => void {
    const { owned, ports } = this.#toolbox;
    if (!this.#mounted) {
      this.#mounted = true;
      ports.tui.addInputListener((data) => this.#hear(data));
    }
    const remove = owned.add(source, () => this.#listeners.delete(listener));
    const listener: Listener = { source, handler, remove };
    this.#listeners.add(listener);
    return remove;
  }

  #hear(data: string): { consume?: boolean; data?: string } | undefined {
    const { faults, ports } = this.#toolbox;
    if (this.#listeners.size === 0 || ports.dialogs.isOpen) return undefined;
    const way = this.#wayOut(data);
    let current = data;
    for (const listener of [...this.#listeners]) {
      const result = faults.guard(listener.source, "its key listener", () => listener.handler(current));
      const taken = result?.consume === true || (way !== undefined && result?.data !== undefined);
      if (taken && way !== undefined && this.#keptTooOften(way, listener)) continue;
      if (result?.consume === true) return { consume: true };
      if (typeof result?.data === "string") current = result.data;
    }
    return current === data ? undefined : { data: current };
  }

  #keptTooOften(way: WayOut, by: Listener): boolean {
    const { faults, ports } = this.#toolbox;
    const now = ports.timers.now();
    const kept = this.#kept;
    const again = kept?.way === way && kept.by === by && now - kept.at <= QUIT_WINDOW_MS;
    const times = again ? kept.times + 1 : 1;
    this.#kept = { way, at: now, by, times };
    if (times <= MOST_KEPT[way]) return false;
    this.#kept = undefined;
    by.remove();
    const key = ports.keymap().label(way);
    faults.tell(by.source, "its key listener", new Error(`it went on taking ${key} and is turned off`));
    return true;
  }

  #wayOut(data: string): WayOut | undefined {
    if (isKeyRelease(data)) return undefined;
    const keymap = this.#toolbox.ports.keymap();
    if (keymap.matches(data, "app.clear")) return "app.clear";
    return keymap.matches(data, "app.interrupt") ? "app.interrupt" : undefined;
  }
}
