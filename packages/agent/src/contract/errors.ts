/** The one error base of the product. People read `message` (what happened, with the value) and `hint` (what to do). */

const brand = Symbol.for("pi-ts.error");

/** Fields of a {@link PiError}. `exitCode` is what the process exits with when nothing catches it (default 1). */
export interface PiErrorFields {
  code: string;
  message: string;
  hint?: string;
  exitCode?: number;
  cause?: unknown;
}

/** An error we understand: branded, so that it is recognised across bundles (never by `instanceof`). */
export class PiError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly exitCode: number;

  constructor(fields: PiErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = "PiError";
    this.code = fields.code;
    this.hint = fields.hint;
    this.exitCode = fields.exitCode ?? 1;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** True for a {@link PiError} made by any copy of this module. */
export function isPiError(value: unknown): value is PiError {
  return typeof value === "object" && value !== null && brand in value;
}

/** The text of anything that was thrown, for people and models; never throws itself. */
export function errorMessage(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  try {
    return String(thrown);
  } catch {
    return "an unprintable value was thrown";
  }
}

/** The operating system's code of an error (`ENOENT`, `ENOSPC`, …), if it has one. */
export function systemCode(thrown: unknown): string | undefined {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}
