import type { Migration } from "../../shared/migration.ts";

/** The tables other programs of this family read and write. They may be there already. */
export const BASE_TABLES: Migration = {
  id: 1,
  name: "base tables",
  sql: `
CREATE TABLE IF NOT EXISTS sessions(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL UNIQUE,
  project TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'active');
CREATE TABLE IF NOT EXISTS observations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL,
  project TEXT NOT NULL,
  title TEXT NOT NULL,
  type TEXT NOT NULL,
  text TEXT NOT NULL,
  source_files TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS session_summaries(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL,
  project TEXT NOT NULL,
  request TEXT NOT NULL DEFAULT '',
  investigated TEXT NOT NULL DEFAULT '',
  learned TEXT NOT NULL DEFAULT '',
  completed TEXT NOT NULL DEFAULT '',
  next_steps TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS observations_project ON observations(project, created_at DESC);
CREATE INDEX IF NOT EXISTS session_summaries_project ON session_summaries(project, created_at DESC);
`,
};
