import { unreadable } from "../shared/unreadable.ts";
import type { PgSession } from "./database.ts";

/** What must be the same number, and in which words it is told when it is not. */
const COUNTS = `
  SELECT (SELECT count(*) FROM memories)::float8 AS "memories",
    (SELECT memories FROM statistics)::float8 AS "counted memories"`;
const TERMS = `
  SELECT count(*)::int AS wrong FROM (
    SELECT term, count(*) AS documents FROM memories, unnest(terms) AS term GROUP BY term) AS found
  FULL JOIN term_counts counted USING(term) WHERE found.documents IS DISTINCT FROM counted.documents`;

/** Checks the counts against the rows. Gives what is wrong, in words. */
export async function checkStore(session: PgSession): Promise<string[]> {
  const problems: string[] = [];
  const [counts] = await session.query(COUNTS);
  const numbers = Object.entries(counts ?? {});
  if (new Set(numbers.map(([, count]) => count)).size > 1)
    problems.push(`counts: ${numbers.map(([name, count]) => `${count} ${name}`).join(", ")}`);
  const [terms] = await session.query(TERMS);
  if (Number(terms?.["wrong"]) > 0)
    problems.push(`index: ${Number(terms?.["wrong"])} terms are counted wrong`);
  const groups = await session.query(
    "SELECT s.key, m.kind, count(*) AS n FROM memories m JOIN scopes s ON s.id = m.scope GROUP BY s.key, m.kind",
  );
  const wrong = unreadable(
    groups.map((row) => ({
      scope: String(row["key"]),
      kind: String(row["kind"]),
      memories: Number(row["n"]),
    })),
  );
  if (wrong !== undefined) problems.push(wrong);
  return problems;
}
