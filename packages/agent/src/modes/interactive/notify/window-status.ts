import type { Terminal } from "@earendil-works/pi-tui";
import { safeLine } from "../../shared/safe-text.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const TITLE_LIMIT = 80;
const PUSH_TITLE = "\x1b[22;0t";
const POP_TITLE = "\x1b[23;0t";

/** Whether the terminal shows OSC 9;4 as progress. Others would show it as a notice, so only known ones get it. */
export function showsProgress(env: Environment): boolean {
  if (env.TMUX !== undefined || env.STY !== undefined) return false;
  if (env.WT_SESSION !== undefined || env.ConEmuANSI === "ON") return true;
  const version = (env.TERM_PROGRAM_VERSION ?? "").split(".").map(Number);
  const atLeast = (major: number, minor: number) =>
    (version[0] ?? 0) > major || (version[0] === major && (version[1] ?? 0) >= minor);
  if (env.TERM_PROGRAM === "ghostty") return atLeast(1, 2);
  if (env.TERM_PROGRAM === "iTerm.app") return atLeast(3, 6);
  // WezTerm counts by days: 20250101-…
  if (env.TERM_PROGRAM === "WezTerm") return Number.parseInt(env.TERM_PROGRAM_VERSION ?? "0", 10) >= 20250101;
  return false;
}

/** The window's title, its progress bar and its program status: what is seen of the program while it is behind. */
export class WindowStatus {
  readonly #terminal: Terminal;
  readonly #env: Environment;
  #state: "idle" | "working" | "blocked" = "idle";
  #title = "";
  #other: string | undefined;

  constructor(terminal: Terminal, env: Environment) {
    this.#terminal = terminal;
    this.#env = env;
  }

  /** Keeps the shell's title for later; call it after the terminal was started. */
  start(): void {
    if (this.#env.TERM !== "linux") this.#terminal.write(PUSH_TITLE);
    this.#report();
  }

  /** Gives the shell its title back; call it before the terminal is stopped. */
  stop(): void {
    if (this.#state !== "idle" && showsProgress(this.#env)) this.#terminal.setProgress(false);
    this.#terminal.setProgramStatus({ state: "clear" });
    if (this.#env.TERM !== "linux") this.#terminal.write(POP_TITLE);
  }

  /** What the title is about: the conversation's title, or the folder's name. */
  setTitle(about: string): void {
    const title = shortTitle(about);
    if (title === this.#title) return;
    this.#title = title;
    this.#report();
  }

  /** Shows another title than the program's; undefined gives that back. */
  setOther(title: string | undefined): void {
    this.#other = title === undefined ? undefined : shortTitle(title);
    this.#report();
  }

  /** `blocked`: a question waits. */
  setState(state: "idle" | "working" | "blocked"): void {
    if (state === this.#state) return;
    const progress = state === "working";
    if (progress !== (this.#state === "working") && showsProgress(this.#env))
      this.#terminal.setProgress(progress);
    this.#state = state;
    this.#report();
  }

  #report(): void {
    const mark = { idle: "", working: "● ", blocked: "? " }[this.#state];
    if (this.#env.TERM !== "linux")
      this.#terminal.setTitle(
        `${mark}${this.#other ?? `pi${this.#title === "" ? "" : ` - ${this.#title}`}`}`,
      );
    this.#terminal.setProgramStatus({
      state: this.#state,
      app: "pi",
      ...(this.#state === "blocked" && { kind: "question" as const }),
    });
  }
}

function shortTitle(text: string): string {
  const characters = [...safeLine(text)];
  return characters.length > TITLE_LIMIT
    ? `${characters.slice(0, TITLE_LIMIT - 1).join("")}…`
    : characters.join("");
}
