export type ManagerErrorCode =
  | "person_needed"
  | "unknown_memory"
  | "preview_invalid"
  | "preview_expired"
  | "preview_changed"
  | "nothing_selected"
  | "withheld";

const BRAND = Symbol.for("agentic-remem.ManagerError");

/** A change to memory that was refused. `message` says what happened, `hint` what to do. */
export class ManagerError extends Error {
  readonly code: ManagerErrorCode;
  readonly hint: string;
  readonly [BRAND] = true;

  constructor(code: ManagerErrorCode, message: string, hint: string) {
    super(message);
    this.name = "ManagerError";
    this.code = code;
    this.hint = hint;
  }

  /** Works across copies of this package, where `instanceof` does not. */
  static is(value: unknown): value is ManagerError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}
