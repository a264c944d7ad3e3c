import type { Migration } from "../../shared/migration.ts";

/**
 * All tables of the store. `terms` of a memory are its different index terms, as the engine made them, which is why any language is found;
 * `term_counts` says in how many memories a term occurs. The index has no list of pending entries: searches would read all of it. Times are
 * milliseconds since 1970.
 */
export const TABLES: Migration = {
  id: 1,
  name: "tables",
  sql: `
CREATE TABLE scopes(id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, key text NOT NULL UNIQUE);
CREATE TABLE scope_links(key text PRIMARY KEY, scope integer NOT NULL REFERENCES scopes(id));
CREATE TABLE sessions(
  id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, session_id text NOT NULL UNIQUE, project text NOT NULL,
  started_at bigint NOT NULL, status text NOT NULL);
CREATE TABLE session_summaries(
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, session_id text NOT NULL, project text NOT NULL, request text NOT NULL,
  investigated text NOT NULL, learned text NOT NULL, completed text NOT NULL, next_steps text NOT NULL, created_at bigint NOT NULL);
CREATE INDEX session_summaries_project ON session_summaries(project, created_at DESC);
CREATE INDEX session_summaries_session ON session_summaries(session_id);
CREATE TABLE memories(
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  uid text NOT NULL UNIQUE,
  scope integer NOT NULL REFERENCES scopes(id),
  session integer NOT NULL REFERENCES sessions(id),
  sequence integer NOT NULL,
  kind text NOT NULL,
  said boolean NOT NULL,
  said_at bigint NOT NULL,
  state text NOT NULL CHECK(state IN ('active', 'candidate', 'superseded')),
  title text NOT NULL,
  body text NOT NULL,
  attachment text NOT NULL,
  files text[] NOT NULL,
  subject text,
  subject_key text,
  host text NOT NULL,
  message_id text,
  author_role text NOT NULL CHECK(author_role IN ('user', 'agent', 'tool', 'import')),
  author_name text NOT NULL,
  typed boolean NOT NULL,
  freshness text NOT NULL CHECK(freshness IN ('current', 'stale', 'unknown')),
  recorded_at bigint NOT NULL,
  valid_to bigint,
  superseded_by bigint REFERENCES memories(id) ON DELETE SET NULL,
  pinned boolean NOT NULL,
  cues integer NOT NULL,
  variety integer NOT NULL,
  content_key bytea NOT NULL,
  title_terms text NOT NULL,
  body_terms text NOT NULL,
  details_terms text NOT NULL,
  origin_terms text NOT NULL,
  terms text[] NOT NULL,
  UNIQUE(session, sequence));
CREATE INDEX memories_terms ON memories USING gin(terms) WITH (fastupdate = off);
CREATE INDEX memories_scope ON memories(scope, said_at DESC);
CREATE INDEX memories_subject ON memories(scope, subject_key) WHERE subject_key IS NOT NULL;
CREATE INDEX memories_content ON memories(content_key);
CREATE INDEX memories_superseded_by ON memories(superseded_by) WHERE superseded_by IS NOT NULL;
CREATE TABLE term_counts(term text PRIMARY KEY, documents integer NOT NULL);
CREATE TABLE pending_successors(
  successor text NOT NULL, memory bigint NOT NULL REFERENCES memories(id) ON DELETE CASCADE, PRIMARY KEY(successor, memory));
CREATE TABLE embedding_spaces(id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, fingerprint text NOT NULL UNIQUE);
CREATE TABLE memory_vectors(
  space integer NOT NULL REFERENCES embedding_spaces(id),
  memory bigint NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  scale double precision NOT NULL,
  packed bytea NOT NULL,
  PRIMARY KEY(space, memory));
CREATE INDEX memory_vectors_memory ON memory_vectors(memory);
CREATE TABLE tombstones(content_key bytea PRIMARY KEY, forgotten_at bigint NOT NULL);
CREATE TABLE statistics(
  id integer PRIMARY KEY CHECK(id = 1), memories bigint NOT NULL, terms bigint NOT NULL, sessions bigint NOT NULL,
  erasures bigint NOT NULL, index_version integer NOT NULL, content_salt bytea NOT NULL);
CREATE TABLE projects(
  id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, key text NOT NULL UNIQUE, root_commit text, seen_at bigint NOT NULL);
CREATE TABLE project_aliases(
  kind text NOT NULL, value text NOT NULL, project integer NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  PRIMARY KEY(kind, value));
CREATE TABLE recall_traces(
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, session_id text NOT NULL, content text NOT NULL);
CREATE INDEX recall_traces_session ON recall_traces(session_id, id);
CREATE TABLE corrections(
  id text PRIMARY KEY, revision integer NOT NULL, state text NOT NULL, said_at bigint NOT NULL, session_id text NOT NULL,
  content text NOT NULL);
CREATE TABLE leases(name text PRIMARY KEY, owner text NOT NULL, until bigint NOT NULL);
CREATE TABLE counters(name text PRIMARY KEY, amount bigint NOT NULL);
`,
};
