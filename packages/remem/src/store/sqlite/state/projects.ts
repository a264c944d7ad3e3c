import type {
  ProjectAlias,
  ProjectEvidence,
  ProjectRecord,
  ProjectResolution,
} from "../../../core/ports/engine-state.ts";
import { type KnownProject, projectKey, settleProject } from "../../shared/settle-project.ts";
import type { SqlConnection, SqlRow } from "../driver.ts";

/** The project that aliases name, or a new one. Call it inside a transaction. */
export function resolveProject(
  connection: SqlConnection,
  aliases: readonly ProjectAlias[],
  evidence: ProjectEvidence,
  at: number,
  newId: () => string,
): ProjectResolution {
  const settled = settleProject(
    aliases,
    evidence,
    (alias) => {
      const row = connection
        .prepare(
          "SELECT p.key, p.root_commit FROM project_aliases a JOIN projects p ON p.id = a.project WHERE a.kind = ? AND a.value = ?",
        )
        .get(alias.kind, alias.value);
      return row === undefined ? undefined : known(row);
    },
    evidence.rootCommit === undefined
      ? []
      : connection
          .prepare("SELECT key, root_commit FROM projects WHERE root_commit = ? ORDER BY id")
          .all(evidence.rootCommit)
          .map(known),
  );
  const key = settled.chosen?.key ?? freeKey(connection, projectKey(aliases), newId);
  connection
    .prepare(
      `INSERT INTO projects(key, root_commit, seen_at) VALUES(?, ?, ?)
       ON CONFLICT(key) DO UPDATE SET root_commit = coalesce(root_commit, excluded.root_commit), seen_at = excluded.seen_at`,
    )
    .run(key, evidence.rootCommit ?? null, at);
  for (const { kind, value } of settled.named)
    connection
      .prepare(
        `INSERT INTO project_aliases(kind, value, project) VALUES(?, ?, (SELECT id FROM projects WHERE key = ?))
         ON CONFLICT(kind, value) DO UPDATE SET project = excluded.project`,
      )
      .run(kind, value, key);
  const project = (wanted: string): ProjectRecord => selectProjects(connection, wanted)[0]!;
  return {
    project: project(key),
    isNew: settled.chosen === undefined,
    proposals: settled.proposals.map((proposal) => ({
      project: project(proposal.key),
      because: proposal.because,
    })),
  };
}

/** All projects, or the one of this key; the last seen first. */
export function selectProjects(connection: SqlConnection, key?: string): ProjectRecord[] {
  return connection
    .prepare(
      `SELECT p.key, p.root_commit, p.seen_at,
         (SELECT json_group_array(json_object('kind', a.kind, 'value', a.value) ORDER BY a.kind, a.value)
          FROM project_aliases a WHERE a.project = p.id) AS aliases
       FROM projects p WHERE ?1 IS NULL OR p.key = ?1 ORDER BY p.seen_at DESC, p.id DESC`,
    )
    .all(key ?? null)
    .map((row) => ({
      key: String(row["key"]),
      aliases: JSON.parse(String(row["aliases"])) as ProjectAlias[],
      evidence: row["root_commit"] === null ? {} : { rootCommit: String(row["root_commit"]) },
      seenAt: Number(row["seen_at"]),
    }));
}

function known(row: SqlRow): KnownProject {
  return {
    key: String(row["key"]),
    rootCommit: row["root_commit"] === null ? undefined : String(row["root_commit"]),
  };
}

/** A key that no project has or had: memories of one that was linked away still find the other by it. */
function freeKey(connection: SqlConnection, wanted: string, newId: () => string): string {
  const taken = connection
    .prepare("SELECT 1 AS found FROM projects WHERE key = ?1 UNION SELECT 1 FROM scope_links WHERE key = ?2")
    .get(wanted, `project:${wanted}`);
  return taken === undefined ? wanted : `${wanted}-${newId()}`;
}
