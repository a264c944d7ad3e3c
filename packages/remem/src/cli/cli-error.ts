const BRAND = Symbol.for("agentic-remem.CliError");

/** What a command of `remem` ends with: done; failed; a wrong command line; looked, and there was nothing. */
export const EXIT = { done: 0, failed: 1, usage: 2, nothing: 3 } as const;

/** A command that cannot do what was asked. `message` says what happened, with the value, `hint` what to do. */
export class CliError extends Error {
  /** For programs: `usage`, `person_needed`, `file_exists`, … */
  readonly code: string;
  readonly hint: string;
  readonly exitCode: number;
  readonly [BRAND] = true;

  constructor(code: string, message: string, hint: string, exitCode: number = EXIT.failed) {
    super(message);
    this.name = "CliError";
    this.code = code;
    this.hint = hint;
    this.exitCode = exitCode;
  }

  /** Works across copies of this package, where `instanceof` does not. */
  static is(value: unknown): value is CliError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

/** A command line that is wrong. */
export function usageError(message: string, hint: string): CliError {
  return new CliError("usage", message, hint, EXIT.usage);
}
