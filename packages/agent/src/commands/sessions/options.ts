import type { CommandBlock, ParsedArguments } from "../../contract/command.ts";
import { PiError } from "../../contract/errors.ts";

/** A mistake in the command's arguments (exit code 2). */
export function usage(message: string, hint?: string): PiError {
  return new PiError({ code: "usage", message, ...(hint === undefined ? {} : { hint }), exitCode: 2 });
}

/** The whole number of an option, at least 1; undefined where it is not given. Throws a usage error for anything else. */
export function numberOption(options: ParsedArguments["options"], name: string): number | undefined {
  const given = options[name];
  if (given === undefined || given === true) return undefined;
  const value = Number(given);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw usage(`--${name} wants a number from 1 on, not "${given}"`);
}

/** The text of an option; undefined where it is not given. */
export function textOption(options: ParsedArguments["options"], name: string): string | undefined {
  const given = options[name];
  return typeof given === "string" ? given : undefined;
}

/** A paragraph. */
export function text(paragraph: string): CommandBlock {
  return { kind: "text", text: paragraph };
}
