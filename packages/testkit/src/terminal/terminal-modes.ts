import type { Terminal } from "@xterm/headless";

/** What a program has switched on a terminal. */
export interface TerminalModes {
  alternateScreen: boolean;
  cursorHidden: boolean;
  /** Text is written over the last column instead of going on in the next row. */
  noAutoWrap: boolean;
  bracketedPaste: boolean;
  mouseTracking: "none" | "press" | "drag" | "any";
  /** Mouse events come in the SGR form. */
  mouseSgr: boolean;
  focusReporting: boolean;
  synchronizedOutput: boolean;
  /** The program wants to hear of changes between dark and light (mode 2031). */
  colorSchemeReports: boolean;
  applicationCursorKeys: boolean;
  applicationKeypad: boolean;
  /** The level of xterm's modifyOtherKeys. */
  modifyOtherKeys: number;
  /** Kitty keyboard flags in force on the screen that is shown. */
  kittyKeyboard: number;
  /** Pushes of kitty flags on both screens that were not popped. */
  kittyPushes: number;
}

/** How often the program cleared or drew. */
export interface ScreenCounts {
  /** `ESC[2J`. */
  clears: number;
  /** `ESC[3J`: the user's scrollback is gone. */
  scrollbackClears: number;
  /** Synchronized updates (mode 2026) that ended. */
  frames: number;
}

const ALTERNATE = [47, 1047, 1049];

/** Follows the modes that a program sets, from the parsed output of a terminal. */
export class ModeTracker {
  readonly counts: ScreenCounts = { clears: 0, scrollbackClears: 0, frames: 0 };
  readonly #private = new Map<number, boolean>();
  #kitty: { main: number[]; alternate: number[] } = { main: [], alternate: [] };
  #modifyOtherKeys = 0;
  #applicationKeypad = false;

  /** `kitty`: whether the terminal knows the kitty keyboard protocol; `modifyOtherKeys` likewise. */
  constructor(emulator: Terminal, knows: { kitty: boolean; modifyOtherKeys: boolean }) {
    const { parser } = emulator;
    // Every handler gives false, so that the emulator acts on the sequence too.
    const csi = (id: { prefix?: string; final: string }, act: (params: number[]) => void): void => {
      parser.registerCsiHandler(id, (params) => {
        act(params.map((param) => (typeof param === "number" ? param : (param[0] ?? 0))));
        return false;
      });
    };
    csi({ prefix: "?", final: "h" }, (modes) => this.#set(modes, true));
    csi({ prefix: "?", final: "l" }, (modes) => this.#set(modes, false));
    csi({ final: "J" }, ([what]) => {
      if (what === 2) this.counts.clears++;
      if (what === 3) this.counts.scrollbackClears++;
    });
    if (knows.modifyOtherKeys)
      csi({ prefix: ">", final: "m" }, ([resource, level = 0]) => {
        if (resource === 4) this.#modifyOtherKeys = level;
      });
    if (knows.kitty) {
      csi({ prefix: ">", final: "u" }, ([flags = 0]) => this.#stack.push(flags));
      csi({ prefix: "<", final: "u" }, ([count]) => this.#stack.splice(-Math.max(1, count ?? 1)));
      csi({ prefix: "=", final: "u" }, ([flags = 0, how]) => this.#change(flags, how));
    }
    const onEscape = (id: { intermediates?: string; final: string }, act: () => void): void => {
      parser.registerEscHandler(id, () => {
        act();
        return false;
      });
    };
    onEscape({ final: "=" }, () => (this.#applicationKeypad = true));
    onEscape({ final: ">" }, () => (this.#applicationKeypad = false));
    onEscape({ final: "c" }, () => {
      this.#private.clear();
      this.#kitty = { main: [], alternate: [] };
      this.#modifyOtherKeys = 0;
      this.#applicationKeypad = false;
    });
  }

  get modes(): TerminalModes {
    const on = (mode: number): boolean => this.#private.get(mode) ?? false;
    return {
      alternateScreen: this.#alternate,
      cursorHidden: this.#private.get(25) === false,
      noAutoWrap: this.#private.get(7) === false,
      bracketedPaste: on(2004),
      mouseTracking: on(1003) ? "any" : on(1002) ? "drag" : on(1000) ? "press" : "none",
      mouseSgr: on(1006),
      focusReporting: on(1004),
      synchronizedOutput: on(2026),
      colorSchemeReports: on(2031),
      applicationCursorKeys: on(1),
      applicationKeypad: this.#applicationKeypad,
      modifyOtherKeys: this.#modifyOtherKeys,
      kittyKeyboard: this.#stack.at(-1) ?? 0,
      kittyPushes: this.#kitty.main.length + this.#kitty.alternate.length,
    };
  }

  get #alternate(): boolean {
    return ALTERNATE.some((mode) => this.#private.get(mode) === true);
  }

  /** Each screen has its own stack, as the protocol says. */
  get #stack(): number[] {
    return this.#alternate ? this.#kitty.alternate : this.#kitty.main;
  }

  #set(modes: readonly number[], value: boolean): void {
    for (const mode of modes) {
      if (mode === 2026 && !value && this.#private.get(mode) === true) this.counts.frames++;
      this.#private.set(mode, value);
    }
  }

  #change(flags: number, how: number | undefined): void {
    const stack = this.#stack;
    const now = stack.pop() ?? 0;
    stack.push(how === 2 ? now | flags : how === 3 ? now & ~flags : flags);
  }
}
