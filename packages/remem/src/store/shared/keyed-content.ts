import { normalizedContent } from "../../core/memory/content.ts";
import { sha256 } from "./sha256.ts";

/**
 * What two copies of one text in one scope have in common. It is keyed with the store's own salt, so that the tombstone of
 * a short secret tells nothing about the secret.
 */
export function keyedContent(salt: Uint8Array, scope: string, title: string, text: string): Uint8Array {
  return Buffer.from(sha256(normalizedContent(scope, title, text), salt), "hex");
}
