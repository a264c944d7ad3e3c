/** The five protocols the model server speaks. The kit has its own type: it must not share a product's idea of them. */
export type Wire = "anthropic" | "openai-responses" | "openai-chat" | "gemini" | "ollama";

/** A JSON object whose members are not known yet. */
export type Fields = Record<string, unknown>;

/** The value as an object; `{}` when it is none, so that a reader never throws on a malformed request. */
export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The value as an array; `[]` when it is none. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a string; `""` when it is none. */
export function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Whether the value is a JSON object (not null, not an array). */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
