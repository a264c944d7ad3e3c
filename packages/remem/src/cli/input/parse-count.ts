import { usageError } from "../cli-error.ts";

/** A count that a person wrote, or the usual one. */
export function parseCount(text: string | undefined, option: string, usual: number, most: number): number {
  if (text === undefined) return usual;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= 1 && count <= most) return count;
  throw usageError(
    `--${option} ${JSON.stringify(text)} is no whole number from 1 to ${most}`,
    "write a number",
  );
}
