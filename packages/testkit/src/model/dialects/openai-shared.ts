import type { Fields } from "../wire.ts";
import { fields, list, string } from "../wire.ts";

const TYPES: Record<number, [type: string, code: string | null]> = {
  400: ["invalid_request_error", null],
  401: ["invalid_request_error", "invalid_api_key"],
  403: ["invalid_request_error", "unsupported_country_region_territory"],
  404: ["invalid_request_error", "model_not_found"],
  429: ["requests", "rate_limit_exceeded"],
  500: ["server_error", null],
  503: ["server_error", "server_is_overloaded"],
};

/** The error body of both OpenAI wires. */
export function openaiErrorBody(status: number, type: string | undefined, message: string): Fields {
  const [kind, code] = TYPES[status] ?? ["server_error", null];
  return { error: { message, type: type ?? kind, param: null, code: type ?? code } };
}

/** The text parts of a content value that is a string or an array of parts. */
export function textOfContent(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return list(content)
    .map(fields)
    .filter((part) => typeof part["text"] === "string")
    .map((part) => string(part["text"]));
}

/** Arguments as a value; the text itself when it is no JSON. */
export function parsedArguments(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    // not JSON: the validation reports it, the recording keeps what came
    return value;
  }
}
