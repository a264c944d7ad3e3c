import type { JsonSchema } from "../contract/json.ts";

/** Any text. */
export const text: JsonSchema = { type: "string" };
/** A text with something in it. */
export const name: JsonSchema = { type: "string", minLength: 1 };
/** A whole http or https address. */
export const address: JsonSchema = { type: "string", pattern: "^https?://" };
/** Texts by name. */
export const textMap: JsonSchema = { type: "object", additionalProperties: text };
/** A list of texts, and what it holds when nobody sets it. */
export const textList = (description: string, initial: readonly string[] = []): JsonSchema => ({
  type: "array",
  description,
  items: name,
  default: initial,
});
/** A whole number from `minimum` on. */
export const count = (description: string, initial: number, minimum = 0): JsonSchema => ({
  type: "integer",
  description,
  minimum,
  default: initial,
});
/** Yes or no. */
export const flag = (description: string, initial: boolean): JsonSchema => ({
  type: "boolean",
  description,
  default: initial,
});
/** An object in which no other keys may stand. */
export const closed = (
  description: string,
  properties: Record<string, JsonSchema>,
  required: readonly string[] = [],
): JsonSchema => ({
  type: "object",
  description,
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
});
