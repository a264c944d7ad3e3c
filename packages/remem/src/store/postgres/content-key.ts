import type { NewMemory } from "../../core/memory/record.ts";
import { scopeKey } from "../../core/memory/scope.ts";
import { keyedContent } from "../shared/keyed-content.ts";
import type { StoredScope } from "../shared/stored-scope.ts";
import type { PgSession } from "./database.ts";
import { findScopes } from "./scopes.ts";

/** What two copies of one text in one scope have in common; see keyedContent. */
export async function contentKey(
  session: PgSession,
  scope: string,
  title: string,
  text: string,
): Promise<Uint8Array> {
  const [row] = await session.query("SELECT content_salt FROM statistics WHERE id = 1");
  return keyedContent(row?.["content_salt"] as Uint8Array, scope, title, text);
}

/** Whether the text of this memory was erased from its scope once. */
export async function wasForgotten(
  session: PgSession,
  { scope: wanted, title = "", text }: Pick<NewMemory, "scope" | "title" | "text">,
): Promise<boolean> {
  const [scope] = await findScopes(session, [scopeKey(wanted)]);
  if (scope === undefined) return false;
  return isForgotten(session, scope, await contentKey(session, scope.key, title, text), title, text);
}

/** Whether this text was erased from this scope once, under any of the names the scope had. */
export async function isForgotten(
  session: PgSession,
  scope: StoredScope,
  key: Uint8Array,
  title: string,
  text: string,
): Promise<boolean> {
  const keys = [key];
  for (const link of await session.query("SELECT key FROM scope_links WHERE scope = $1", [scope.number]))
    keys.push(await contentKey(session, String(link["key"]), title, text));
  for (const one of keys)
    if ((await session.query("SELECT 1 FROM tombstones WHERE content_key = $1", [one])).length > 0)
      return true;
  return false;
}

/** The id of a statement of this kind with the same content that was not superseded. */
export async function findSame(
  session: PgSession,
  key: Uint8Array,
  kind: string,
): Promise<string | undefined> {
  const [known] = await session.query(
    "SELECT uid FROM memories WHERE content_key = $1 AND kind = $2 AND state <> 'superseded' ORDER BY id LIMIT 1",
    [key, kind],
  );
  return known === undefined ? undefined : String(known["uid"]);
}
