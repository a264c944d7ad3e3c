/** What a part of a Gemini answer needs on its way back, kept in `opaque`. */
import type { Json, JsonObject } from "../../contract/json.ts";
import { asObject, asText } from "../shared/read.ts";

/** Gemini's own word for "no signature to check", for calls that another model made. */
export const NO_SIGNATURE = "skip_thought_signature_validator";

/** The item of a text or thinking part: its signature, byte for byte; nothing without one. */
export function signatureItem(part: JsonObject): JsonObject | undefined {
  const signature = asText(part["thoughtSignature"]);
  return signature === "" ? undefined : { thoughtSignature: signature };
}

/** The item of a call: its signature and the service's id (null: it sent none, and gets none back). */
export function callItem(part: JsonObject, id: string | null): JsonObject {
  return { ...signatureItem(part), id };
}

/** The fields of a part that come from its item. */
export function signatureOf(opaque: Json | undefined): { thoughtSignature?: string } {
  const signature = asText(asObject(opaque)?.["thoughtSignature"]);
  return signature === "" ? {} : { thoughtSignature: signature };
}

/** The id under which the service knows a call; undefined where it knows none. `ours` for calls of other models. */
export function callIdOf(opaque: Json | undefined, ours: string): string | undefined {
  const item = asObject(opaque);
  if (item === undefined || item["id"] === undefined) return ours;
  return asText(item["id"]) || undefined;
}
