/** Tolerant reading of what services send: a field that is missing, null or of another type reads as nothing. */
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { ModelSource } from "../../contract/messages.ts";

/** The value if it is a JSON object. */
export function asObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/**
 * The JSON object that a piece of a stream holds; nothing for what was cut or is foreign. A list of one counts as what is in it (some gateways wrap errors so).
 */
export function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return asObject(Array.isArray(value) ? value[0] : value);
  } catch {
    // No JSON: see above.
    return undefined;
  }
}

/** The value if it is a string, else an empty one. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The value if it is a list, else an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** No request and no day comes near: what is more was never counted. */
const MOST_TOKENS = 1e12;

/** A count of tokens: a whole number from 0 (some gateways send its digits as a text), else 0. */
export function asCount(value: unknown): number {
  const count = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value;
  return typeof count === "number" && count > 0 && count < MOST_TOKENS ? Math.round(count) : 0;
}

/** True when a message came from this very model, so that its signatures and opaque items may be echoed. */
export function sameSource(a: ModelSource, b: ModelSource): boolean {
  return a.provider === b.provider && a.wire === b.wire && a.model === b.model;
}
