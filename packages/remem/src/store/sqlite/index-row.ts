import type { IndexTerms } from "../../core/text/index-terms.ts";
import type { SqlConnection } from "./driver.ts";

/** How a scope is written in the full-text index: a token that no text gives. */
export function scopeToken(scope: number): string {
  return `scope${scope}scope`;
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
  return termCount(found.title) + termCount(found.body) + termCount(found.details) + termCount(found.origin);
}

/** Takes a memory out of the full-text index. Gives the number of its terms; 0 for a row that is not there. */
export function unindexRow(connection: SqlConnection, row: number): number {
  const found = connection
    .prepare("SELECT title, body, details, origin, scope FROM memory_terms WHERE id = ?")
    .get(row);
  if (found === undefined) return 0;
  const [title, body, details, origin] = ["title", "body", "details", "origin"].map((column) =>
    String(found[column]),
  );
  connection
    .prepare(
      `INSERT INTO memory_index(memory_index, rowid, title, body, details, origin, scope)
       VALUES('delete', ?, ?, ?, ?, ?, ?)`,
    )
    .run(row, title!, body!, details!, origin!, String(found["scope"]));
  connection.prepare("DELETE FROM memory_terms WHERE id = ?").run(row);
  return termCount(title!) + termCount(body!) + termCount(details!) + termCount(origin!);
}

function termCount(field: string): number {
  if (field === "") return 0;
  let count = 1;
  for (let index = field.indexOf(" "); index >= 0; index = field.indexOf(" ", index + 1)) count++;
  return count;
}
