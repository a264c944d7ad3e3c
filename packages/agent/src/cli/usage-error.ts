import { PiError } from "../contract/errors.ts";

/** A mistake on the command line: nothing was done. Exit code 2. */
export function usageError(message: string, hint?: string): PiError {
  return new PiError({ code: "usage", message, hint: hint ?? "see: pi --help", exitCode: 2 });
}
