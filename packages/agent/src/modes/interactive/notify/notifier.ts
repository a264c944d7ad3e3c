import type { DisplaySettings } from "../../../contract/interactive.ts";
import { noticeProtocol, noticeSequence } from "./notice-sequence.ts";

/** Where it is not known whether the window is in front, only the end of a turn that took longer than this is told. */
const LONG_TURN_MS = 10_000;

export interface NotifierOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes to the terminal. */
  readonly write: (data: string) => void;
  /** Milliseconds. */
  readonly now: () => number;
  readonly setting: () => DisplaySettings["notify"];
  /** Undefined: not known. */
  readonly inFront: () => boolean | undefined;
}

/** Calls a person back who looks elsewhere: at the end of a turn, and when a question waits. */
export class Notifier {
  readonly #options: NotifierOptions;
  #startedAt: number | undefined;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  turnStarted(): void {
    this.#startedAt = this.#options.now();
  }

  /** `body` is shown in a desktop notice: the start of the answer, or how the turn failed. */
  turnEnded(body: string): void {
    const startedAt = this.#startedAt;
    this.#startedAt = undefined;
    if (startedAt === undefined) return;
    this.#tell("pi is done", body, this.#options.now() - startedAt);
  }

  /** A question waits for an answer. */
  asked(question: string): void {
    this.#tell(
      "pi asks",
      question,
      this.#startedAt === undefined ? 0 : this.#options.now() - this.#startedAt,
    );
  }

  #tell(title: string, body: string, tookMs: number): void {
    const { env, write, setting, inFront } = this.#options;
    const how = setting();
    if (how === "off") return;
    const front = inFront();
    if (front ?? tookMs <= LONG_TURN_MS) return;
    const protocol = how === "bell" ? "bell" : noticeProtocol(env);
    write(noticeSequence({ title, body }, protocol, env));
  }
}
