import type { NewMemory } from "../../core/memory/record.ts";
import { scopeKey } from "../../core/memory/scope.ts";
import { keyedContent } from "../shared/keyed-content.ts";
import type { StoredScope } from "../shared/stored-scope.ts";
import type { SqlConnection } from "./driver.ts";
import { findScope } from "./scopes.ts";

/** What two copies of one text in one scope have in common; see keyedContent. */
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
  return keyedContent(salt, scope, title, text);
}

/** Whether the text of this memory was erased from its scope once. */
export function wasForgotten(
  connection: SqlConnection,
  { scope: wanted, title = "", text }: Pick<NewMemory, "scope" | "title" | "text">,
): boolean {
  const scope = findScope(connection, scopeKey(wanted));
  if (scope === undefined) return false;
  return isForgotten(connection, scope, contentKey(connection, scope.key, title, text), title, text);
}

/** Whether this text was erased from this scope once, under any of the names the scope had. */
export function isForgotten(
  connection: SqlConnection,
  scope: StoredScope,
  key: Uint8Array,
  title: string,
  text: string,
): boolean {
  const erased = connection.prepare("SELECT 1 AS found FROM tombstones WHERE content_key = ?");
  if (erased.get(key) !== undefined) return true;
  return connection
    .prepare("SELECT key FROM scope_links WHERE scope = ?")
    .all(scope.number)
    .some((link) => erased.get(contentKey(connection, String(link["key"]), title, text)) !== undefined);
}
