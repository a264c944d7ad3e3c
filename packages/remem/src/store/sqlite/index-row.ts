import { type IndexTerms, termCount } from "../../core/text/index-terms.ts";
import type { SqlConnection, SqlRow } from "./driver.ts";

/** A match, as FTS5 reads it, of a term anywhere but in the scope. */
export function inTexts(term: string): string {
  return `{title body details origin} : ${quoted(term)}`;
}

/** A match of all rows of these scopes. */
export function inScopes(scopes: Iterable<number>): string {
  return `(scope : (${[...scopes].map((scope) => quoted(scopeToken(scope))).join(" OR ")}))`;
}

/** Puts a memory into the full-text index. Gives the number of its terms. */
export function indexRow(connection: SqlConnection, row: number, scope: number, found: IndexTerms): number {
  const values = [row, found.title, found.body, found.details, found.origin, scopeToken(scope)] as const;
  connection
    .prepare("INSERT INTO memory_terms(id, title, body, details, origin, scope) VALUES(?, ?, ?, ?, ?, ?)")
    .run(...values);
  connection
    .prepare("INSERT INTO memory_index(rowid, title, body, details, origin, scope) VALUES(?, ?, ?, ?, ?, ?)")
    .run(...values);
  return termCount(found);
}

/** Takes a memory out of the full-text index. Gives the number of its terms; 0 for a row that is not there. */
export function unindexRow(connection: SqlConnection, row: number): number {
  const found = connection
    .prepare("SELECT title, body, details, origin, scope FROM memory_terms WHERE id = ?")
    .get(row);
  if (found === undefined) return 0;
  const { title, body, details, origin } = storedTerms(found);
  connection
    .prepare(
      `INSERT INTO memory_index(memory_index, rowid, title, body, details, origin, scope)
       VALUES('delete', ?, ?, ?, ?, ?, ?)`,
    )
    .run(row, title, body, details, origin, String(found["scope"]));
  connection.prepare("DELETE FROM memory_terms WHERE id = ?").run(row);
  return termCount({ title, body, details, origin });
}

/** Moves an indexed memory to another scope. */
export function moveRow(connection: SqlConnection, row: number, scope: number): void {
  const found = connection
    .prepare("SELECT title, body, details, origin FROM memory_terms WHERE id = ?")
    .get(row);
  if (found === undefined) return;
  unindexRow(connection, row);
  indexRow(connection, row, scope, storedTerms(found));
}

function storedTerms(row: SqlRow): IndexTerms {
  const field = (name: string): string => String(row[name]);
  return { title: field("title"), body: field("body"), details: field("details"), origin: field("origin") };
}

/** How a scope is written in the index: a token that no other scope has a part of. */
function scopeToken(scope: number): string {
  return `scope${scope}scope`;
}

/** In quotes, words like OR are no syntax. */
function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}
