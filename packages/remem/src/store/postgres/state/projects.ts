import type {
  ProjectAlias,
  ProjectEvidence,
  ProjectRecord,
  ProjectResolution,
} from "../../../core/ports/engine-state.ts";
import { type KnownProject, projectKey, settleProject } from "../../shared/settle-project.ts";
import type { PgRow, PgSession } from "../database.ts";

/** The project that aliases name, or a new one. Call it in a transaction that holds the store's lock. */
export async function resolveProject(
  session: PgSession,
  aliases: readonly ProjectAlias[],
  evidence: ProjectEvidence,
  at: number,
  newId: () => string,
): Promise<ProjectResolution> {
  const owners = new Map<string, KnownProject>();
  for (const { kind, value } of aliases) {
    const [row] = await session.query(
      "SELECT p.key, p.root_commit FROM project_aliases a JOIN projects p ON p.id = a.project WHERE a.kind = $1 AND a.value = $2",
      [kind, value],
    );
    if (row !== undefined) owners.set(aliasKey({ kind, value }), known(row));
  }
  const sameRoot = await session.query(
    "SELECT key, root_commit FROM projects WHERE root_commit = $1 ORDER BY id",
    [evidence.rootCommit ?? null],
  );
  const settled = settleProject(
    aliases,
    evidence,
    (alias) => owners.get(aliasKey(alias)),
    sameRoot.map(known),
  );
  const key = settled.chosen?.key ?? (await freeKey(session, projectKey(aliases), newId));
  await session.query(
    `INSERT INTO projects(key, root_commit, seen_at) VALUES($1, $2, $3)
     ON CONFLICT(key) DO UPDATE SET root_commit = coalesce(projects.root_commit, excluded.root_commit), seen_at = excluded.seen_at`,
    [key, evidence.rootCommit ?? null, at],
  );
  for (const { kind, value } of settled.named)
    await session.query(
      `INSERT INTO project_aliases(kind, value, project) VALUES($1, $2, (SELECT id FROM projects WHERE key = $3))
       ON CONFLICT(kind, value) DO UPDATE SET project = excluded.project`,
      [kind, value, key],
    );
  const all = new Map((await selectProjects(session)).map((project) => [project.key, project]));
  return {
    project: all.get(key)!,
    isNew: settled.chosen === undefined,
    proposals: settled.proposals.map((proposal) => ({
      project: all.get(proposal.key)!,
      because: proposal.because,
    })),
  };
}

/** All projects, the last seen first. */
export async function selectProjects(session: PgSession): Promise<ProjectRecord[]> {
  const rows = await session.query(
    `SELECT p.key, p.root_commit, p.seen_at, coalesce(
       (SELECT json_agg(json_build_object('kind', a.kind, 'value', a.value) ORDER BY a.kind, a.value)
        FROM project_aliases a WHERE a.project = p.id)::text, '[]') AS aliases
     FROM projects p ORDER BY p.seen_at DESC, p.id DESC`,
  );
  return rows.map((row) => ({
    key: String(row["key"]),
    aliases: JSON.parse(String(row["aliases"])) as ProjectAlias[],
    evidence: row["root_commit"] === null ? {} : { rootCommit: String(row["root_commit"]) },
    seenAt: Number(row["seen_at"]),
  }));
}

const aliasKey = ({ kind, value }: ProjectAlias): string => `${kind}\n${value}`;

function known(row: PgRow): KnownProject {
  return {
    key: String(row["key"]),
    rootCommit: row["root_commit"] === null ? undefined : String(row["root_commit"]),
  };
}

/** A key that no project has or had: memories of one that was linked away still find the other by it. */
async function freeKey(session: PgSession, wanted: string, newId: () => string): Promise<string> {
  const taken = await session.query(
    "SELECT 1 FROM projects WHERE key = $1 UNION SELECT 1 FROM scope_links WHERE key = $2",
    [wanted, `project:${wanted}`],
  );
  return taken.length === 0 ? wanted : `${wanted}-${newId()}`;
}
