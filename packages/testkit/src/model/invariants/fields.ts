import type { Fields } from "../wire.ts";

/** Top-level members that a service does not know are refused. */
export function unknownFields(body: Fields, known: ReadonlySet<string>): string[] {
  return Object.keys(body)
    .filter((name) => !known.has(name))
    .map((name) => `${name}: Extra inputs are not permitted`);
}

/** The problem with a call's argument text, if any: it must be the text of a JSON object. */
export function argumentTextProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return `must be a string, not ${typeof value}`;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? undefined
      : `must be the text of a JSON object, not ${value.slice(0, 60)}`;
  } catch {
    // a parse error is the finding itself
    return `is not valid JSON: ${value.slice(0, 60)}`;
  }
}
