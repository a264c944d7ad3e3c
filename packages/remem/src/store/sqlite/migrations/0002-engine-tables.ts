import type { Migration } from "../../shared/migration.ts";

/**
 * What the engine keeps beside an observation; kind and time are repeated, so that ranking need not read texts. `said` marks kinds that quote
 * a session, which are read with their neighbours; `variety` counts different terms. `scope_links` are names of scopes that became others.
 * `pending_successors` names, for a superseded memory that was restored, the successor that is still to come.
 *
 * `memory_terms` holds the index terms as the engine made them; the full-text index reads them from there, so its own tokenizer only has to
 * split at spaces, and erasing a row erases its terms. Without automatic merges the index joins its parts 32 at a time: fewer than one write
 * in twenty does, and searches take no longer.
 */
export const ENGINE_TABLES: Migration = {
  id: 2,
  name: "engine tables",
  sql: `
CREATE TABLE memory_scopes(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
CREATE TABLE memories(
  id INTEGER PRIMARY KEY REFERENCES observations(id) ON DELETE CASCADE,
  uid TEXT NOT NULL UNIQUE,
  scope INTEGER NOT NULL REFERENCES memory_scopes(id),
  session INTEGER NOT NULL REFERENCES sessions(id),
  sequence INTEGER NOT NULL,
  kind TEXT NOT NULL,
  said INTEGER NOT NULL,
  said_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK(state IN ('active', 'candidate', 'superseded')),
  subject TEXT,
  subject_key TEXT,
  attachment TEXT NOT NULL,
  host TEXT NOT NULL,
  message_id TEXT,
  author_role TEXT NOT NULL CHECK(author_role IN ('user', 'agent', 'tool', 'import')),
  author_name TEXT NOT NULL,
  typed INTEGER NOT NULL,
  freshness TEXT NOT NULL CHECK(freshness IN ('current', 'stale', 'unknown')),
  recorded_at INTEGER NOT NULL,
  valid_to INTEGER,
  superseded_by INTEGER REFERENCES memories(id) ON DELETE SET NULL,
  pinned INTEGER NOT NULL,
  cues INTEGER NOT NULL,
  variety INTEGER NOT NULL,
  content_key BLOB NOT NULL);
CREATE UNIQUE INDEX memories_session ON memories(session, sequence);
CREATE INDEX memories_subject ON memories(scope, subject_key) WHERE subject_key IS NOT NULL;
CREATE INDEX memories_content ON memories(content_key);
CREATE INDEX memories_superseded_by ON memories(superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_pinned ON memories(scope) WHERE pinned = 1;
CREATE TABLE scope_links(key TEXT PRIMARY KEY, scope INTEGER NOT NULL REFERENCES memory_scopes(id)) WITHOUT ROWID;
CREATE INDEX scope_links_scope ON scope_links(scope);
CREATE TABLE pending_successors(
  successor TEXT NOT NULL,
  memory INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  PRIMARY KEY(successor, memory)) WITHOUT ROWID;
CREATE INDEX pending_successors_memory ON pending_successors(memory);
CREATE TABLE memory_terms(
  id INTEGER PRIMARY KEY REFERENCES memories(id) ON DELETE CASCADE,
  title TEXT NOT NULL, body TEXT NOT NULL, details TEXT NOT NULL, origin TEXT NOT NULL, scope TEXT NOT NULL);
CREATE VIRTUAL TABLE memory_index USING fts5(
  title, body, details, origin, scope, content='memory_terms', content_rowid='id', detail='column', columnsize=0,
  tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* Co'");
INSERT INTO memory_index(memory_index, rank) VALUES('secure-delete', 1);
INSERT INTO memory_index(memory_index, rank) VALUES('automerge', 0);
INSERT INTO memory_index(memory_index, rank) VALUES('crisismerge', 32);
CREATE TABLE embedding_spaces(id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE);
CREATE TABLE memory_vectors(
  space INTEGER NOT NULL REFERENCES embedding_spaces(id),
  memory INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  scale REAL NOT NULL,
  packed BLOB NOT NULL,
  PRIMARY KEY(memory, space)) WITHOUT ROWID;
CREATE TABLE tombstones(content_key BLOB PRIMARY KEY, forgotten_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE memory_statistics(
  id INTEGER PRIMARY KEY CHECK(id = 1),
  memories INTEGER NOT NULL, terms INTEGER NOT NULL, sessions INTEGER NOT NULL, erasures INTEGER NOT NULL,
  index_version INTEGER NOT NULL, content_salt BLOB NOT NULL);
`,
};
