/** What can go wrong with a store, for programs. */
export type StoreErrorCode =
  | "busy"
  | "corrupt"
  | "foreign_layout"
  | "full"
  | "newer_version"
  | "changed_migration"
  | "unavailable"
  | "read_only";

const BRAND = Symbol.for("agentic-remem.StoreError");

/** A store that cannot do what was asked. `message` says what happened, `hint` what to do; neither ever holds a memory's text. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  readonly hint: string;
  readonly [BRAND] = true;

  constructor(code: StoreErrorCode, message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StoreError";
    this.code = code;
    this.hint = hint;
  }

  /** Works across copies of this package, where `instanceof` does not. */
  static is(value: unknown): value is StoreError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}
