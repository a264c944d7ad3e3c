import { type MemoryScope, scopeKey } from "../../core/memory/scope.ts";
import type { StoredScope } from "../shared/stored-scope.ts";
import type { PgSession } from "./database.ts";

/** A query for the numbers of the scopes whose keys are in a parameter, as a list of texts. */
export function scopesNamed(parameter: string): string {
  return `SELECT id FROM scopes WHERE key = ANY(${parameter}::text[]) UNION
    SELECT scope FROM scope_links WHERE key = ANY(${parameter}::text[])`;
}

/** The scopes of these keys that have or had memories, in any order. */
export async function findScopes(session: PgSession, keys: readonly string[]): Promise<StoredScope[]> {
  const rows = await session.query(
    `SELECT id, key FROM scopes WHERE key = ANY($1::text[]) UNION
     SELECT s.id, s.key FROM scope_links l JOIN scopes s ON s.id = l.scope WHERE l.key = ANY($1::text[])`,
    [keys],
  );
  return rows.map((row) => ({ number: Number(row["id"]), key: String(row["key"]) }));
}

/** A scope, given a number when it is first met. */
export async function scopeOf(session: PgSession, key: string): Promise<StoredScope> {
  const [found] = await findScopes(session, [key]);
  if (found !== undefined) return found;
  const [made] = await session.query("INSERT INTO scopes(key) VALUES($1) RETURNING id", [key]);
  return { number: Number(made?.["id"]), key };
}

/** The numbers of the scopes that have memories. */
export async function scopeNumbers(session: PgSession, scopes: readonly MemoryScope[]): Promise<number[]> {
  return (await findScopes(session, scopes.map(scopeKey))).map(({ number }) => number);
}
