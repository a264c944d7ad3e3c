import { type MemoryScope, scopeKey } from "../../core/memory/scope.ts";
import type { StoredScope } from "../shared/stored-scope.ts";
import type { SqlConnection } from "./driver.ts";

/** A scope that has or had memories; undefined for one that never was here. */
export function findScope(connection: SqlConnection, key: string): StoredScope | undefined {
  const found =
    connection.prepare("SELECT id, key FROM memory_scopes WHERE key = ?").get(key) ??
    connection
      .prepare("SELECT s.id, s.key FROM scope_links l JOIN memory_scopes s ON s.id = l.scope WHERE l.key = ?")
      .get(key);
  return found === undefined ? undefined : { number: Number(found["id"]), key: String(found["key"]) };
}

/** A scope, given a number when it is first met. */
export function scopeOf(connection: SqlConnection, key: string): StoredScope {
  return (
    findScope(connection, key) ?? {
      number: connection.prepare("INSERT INTO memory_scopes(key) VALUES(?)").run(key).lastRow,
      key,
    }
  );
}

/** The numbers of the scopes that have memories. */
export function scopeNumbers(connection: SqlConnection, scopes: readonly MemoryScope[]): ReadonlySet<number> {
  return new Set(
    scopes.flatMap((scope) => {
      const found = findScope(connection, scopeKey(scope));
      return found === undefined ? [] : [found.number];
    }),
  );
}
