import { QUIT_WINDOW_MS } from "../key-states.ts";

/** The keys that get a person out of anything. */
export type WayOut = "escape" | "clear";

/**
 * Whether a person wants out of what an extension shows. Both keys go to the component first. Ctrl+C twice within two seconds closes
 * it whatever it does with the key; Esc twice closes it when the component does nothing with it (a component may use Esc to go back
 * one step).
 */
export class EscapeHatch {
  #armed: { key: WayOut; at: number } | undefined;

  /** A press after which the component is still open; `ignored`: it looks as before. `arm`: say that once more closes it. */
  pressed(key: WayOut, now: number, ignored: boolean): "close" | "arm" | "nothing" {
    const armed = this.#armed;
    this.#armed = undefined;
    if (key === "escape" && !ignored) return "nothing";
    if (armed?.key === key && now - armed.at <= QUIT_WINDOW_MS) return "close";
    this.#armed = { key, at: now };
    return "arm";
  }
}
