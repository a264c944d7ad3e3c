import type { Terminal } from "@xterm/headless";

/** A notification for the desktop, by OSC 9, 777 or 99. */
export interface DesktopNotification {
  protocol: 9 | 777 | 99;
  title: string;
  body: string;
}

/** Text that the program put into a clipboard (OSC 52). */
export interface ClipboardWrite {
  /** `c` the clipboard, `p` the primary selection, … as the program named it. */
  selection: string;
  text: string;
}

/** Collects what a program tells the desktop around the terminal. */
export class DesktopMessages {
  readonly notifications: DesktopNotification[] = [];
  readonly clipboard: ClipboardWrite[] = [];
  bells = 0;
  /** The latest state of OSC 9;4: 0 none, 1 a percentage, 2 error, 3 busy, 4 paused. */
  progress = 0;
  readonly #parts = new Map<string, { title: string; body: string }>();

  constructor(emulator: Terminal) {
    emulator.onBell(() => {
      this.bells++;
    });
    const osc = (number: number, act: (data: string) => void): void => {
      emulator.parser.registerOscHandler(number, (data) => {
        act(data);
        return true;
      });
    };
    osc(52, (data) => {
      const at = data.indexOf(";");
      const encoded = data.slice(at + 1);
      if (encoded !== "?") this.clipboard.push({ selection: data.slice(0, at), text: fromBase64(encoded) });
    });
    osc(9, (data) => {
      const progress = /^4;(\d)/.exec(data);
      if (progress) this.progress = Number(progress[1]);
      else this.notifications.push({ protocol: 9, title: "", body: data });
    });
    osc(777, (data) => {
      const [kind, title = "", ...body] = data.split(";");
      if (kind === "notify") this.notifications.push({ protocol: 777, title, body: body.join(";") });
    });
    osc(99, (data) => this.#kitty(data));
  }

  /** Kitty's form: `key=value:…;payload`, in parts of one `i` that are shown with the part that has no `d=0`. */
  #kitty(data: string): void {
    const at = data.indexOf(";");
    const keys = new Map(
      data
        .slice(0, at)
        .split(":")
        .map((pair) => [pair.slice(0, 1), pair.slice(2)] as const),
    );
    const place = keys.get("p") || "title";
    if (place !== "title" && place !== "body") return;
    const id = keys.get("i") ?? "";
    const whole = this.#parts.get(id) ?? { title: "", body: "" };
    const payload = data.slice(at + 1);
    whole[place] += keys.get("e") === "1" ? fromBase64(payload) : payload;
    this.#parts.set(id, whole);
    if (keys.get("d") === "0") return;
    this.#parts.delete(id);
    this.notifications.push({ protocol: 99, ...whole });
  }
}

function fromBase64(text: string): string {
  return Buffer.from(text, "base64").toString("utf8");
}
