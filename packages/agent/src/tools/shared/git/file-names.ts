import type { ToolContext } from "../../../contract/tool.ts";

/**
 * A name as the model sees it: itself, or a JSON string when it has control characters, quotes at its start, or spaces at
 * its ends. {@link parseName} takes both forms back, so what was printed can be passed on as it is.
 */
export function printName(name: string): string {
  return /[\u0000-\u001f\u007f\u2028\u2029]|^["\s]|\s$/.test(name) ? JSON.stringify(name) : name;
}

/** The name that was meant: a JSON string is decoded unless a file of that very spelling exists. */
export function parseName(given: string, context: ToolContext): string {
  if (!/^".*"$/s.test(given) || context.files.exists(given)) return given;
  try {
    const decoded: unknown = JSON.parse(given);
    return typeof decoded === "string" ? decoded : given;
  } catch {
    return given; // just a name with quotes
  }
}
