/** What can go wrong with an embedder, for programs. */
export type EmbedderErrorCode =
  | "unreachable"
  | "timed_out"
  | "refused"
  | "bad_answer"
  | "bad_settings"
  | "bad_model"
  | "no_runtime";

const BRAND = Symbol.for("agentic-remem.EmbedderError");

/** An embedder that cannot answer. `message` says what happened, `hint` what to do; neither ever holds a text, a key or a service's words. */
export class EmbedderError extends Error {
  readonly code: EmbedderErrorCode;
  readonly hint: string;
  readonly [BRAND] = true;

  constructor(code: EmbedderErrorCode, message: string, hint: string) {
    super(message);
    this.name = "EmbedderError";
    this.code = code;
    this.hint = hint;
  }

  /** Works across copies of this package, where `instanceof` does not. */
  static is(value: unknown): value is EmbedderError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}
