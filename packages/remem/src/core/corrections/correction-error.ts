export type CorrectionErrorCode =
  | "empty"
  | "no_previous_turn"
  | "unknown_memory"
  | "unknown_correction"
  | "not_validated"
  | "changed_meanwhile";

const BRAND = Symbol.for("agentic-remem.CorrectionError");

/** A correction that was refused. `message` says what happened, `hint` what to do. */
export class CorrectionError extends Error {
  readonly code: CorrectionErrorCode;
  readonly hint: string;
  readonly [BRAND] = true;

  constructor(code: CorrectionErrorCode, message: string, hint: string) {
    super(message);
    this.name = "CorrectionError";
    this.code = code;
    this.hint = hint;
  }

  /** Works across copies of this package, where `instanceof` does not. */
  static is(value: unknown): value is CorrectionError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}
