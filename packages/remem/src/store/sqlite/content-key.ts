import { createHmac } from "node:crypto";
import type { SqlConnection } from "./driver.ts";

/**
 * What two copies of one text in one scope have in common. It is keyed with the database's own salt, so that the tombstone of
 * a short secret tells nothing about the secret.
 */
export function contentKey(
  connection: SqlConnection,
  scope: string,
  title: string,
  text: string,
): Uint8Array {
  const salt = connection.prepare("SELECT content_salt FROM memory_statistics WHERE id = 1").get()?.[
    "content_salt"
  ];
  if (!(salt instanceof Uint8Array)) throw new TypeError("the memory store has no content salt");
  return createHmac("sha256", salt)
    .update(`${scope}\n${normalized(title)}\n${normalized(text)}`)
    .digest();
}

function normalized(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}
