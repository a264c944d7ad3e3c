import type { Migration } from "../../shared/migration.ts";

/** What the engine keeps besides memories. `recall_traces` and `corrections` hold one record as JSON each, beside what they are looked up by. */
export const STATE_TABLES: Migration = {
  id: 3,
  name: "state tables",
  sql: `
CREATE TABLE projects(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, root_commit TEXT, seen_at INTEGER NOT NULL);
CREATE INDEX projects_root_commit ON projects(root_commit) WHERE root_commit IS NOT NULL;
CREATE TABLE project_aliases(
  kind TEXT NOT NULL CHECK(kind IN ('git-dir', 'host', 'remote', 'path')),
  value TEXT NOT NULL,
  project INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  PRIMARY KEY(kind, value)) WITHOUT ROWID;
CREATE INDEX project_aliases_project ON project_aliases(project);
CREATE TABLE recall_traces(
  id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, content TEXT NOT NULL);
CREATE INDEX recall_traces_session ON recall_traces(session_id, id);
CREATE TABLE corrections(
  id TEXT PRIMARY KEY, revision INTEGER NOT NULL, state TEXT NOT NULL, said_at INTEGER NOT NULL, session_id TEXT NOT NULL,
  content TEXT NOT NULL);
CREATE INDEX corrections_state ON corrections(state, said_at DESC);
CREATE TABLE leases(name TEXT PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE counters(name TEXT PRIMARY KEY, amount INTEGER NOT NULL) WITHOUT ROWID;
`,
};
