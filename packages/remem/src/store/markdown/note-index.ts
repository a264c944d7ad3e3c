import type { SessionRecord, SessionSummary } from "../../core/ports/memory-store.ts";
import { openConnection, type SqlConnection } from "../sqlite/driver.ts";
import { migrate } from "../sqlite/migrate.ts";
import { scopeOf } from "../sqlite/scopes.ts";
import { SqliteStore } from "../sqlite/sqlite-store.ts";
import { changeStatistics } from "../sqlite/statistics.ts";

/** What a folder keeps that no note holds: the keyed marks of what was erased, sessions and their summaries. */
export interface SideRecords {
  readonly salt: string;
  readonly forgotten: readonly { readonly key: string; readonly at: number }[];
  readonly sessions: readonly SessionRecord[];
  readonly summaries: readonly SessionSummary[];
  /** Scopes that became others, when a person joined two projects; the notes keep the old one. */
  readonly links: readonly { readonly from: string; readonly into: string }[];
}

export interface IndexContext {
  readonly now: () => number;
  readonly newId: () => string;
}

/** An SQLite store in memory over notes, and what only the folder's store may do with it. */
export class NoteIndex {
  readonly store: SqliteStore;
  readonly #connection: SqlConnection;

  private constructor(connection: SqlConnection, context: IndexContext) {
    this.#connection = connection;
    this.store = new SqliteStore({ connection, ...context });
  }

  static async open(context: IndexContext): Promise<NoteIndex> {
    const connection = await openConnection(":memory:");
    connection.run("PRAGMA foreign_keys = ON");
    migrate(connection, undefined);
    return new NoteIndex(connection, context);
  }

  /** Marks of every memory in one text each; a note whose text is another one is to be written. */
  marks(): Map<string, string> {
    return new Map(
      this.#connection
        .prepare(
          `SELECT m.uid, json_array(m.state, m.freshness, m.pinned, m.valid_to, later.uid) AS marks
           FROM memories m LEFT JOIN memories later ON later.id = m.superseded_by ORDER BY m.id`,
        )
        .all()
        .map((row) => [String(row["uid"]), String(row["marks"])]),
    );
  }

  readSide(): SideRecords {
    const all = (sql: string) => this.#connection.prepare(sql).all();
    const salt = all("SELECT hex(content_salt) AS salt FROM memory_statistics")[0]?.["salt"];
    return {
      salt: String(salt),
      forgotten: all("SELECT hex(content_key) AS key, forgotten_at FROM tombstones ORDER BY 1").map(
        (row) => ({
          key: String(row["key"]),
          at: Number(row["forgotten_at"]),
        }),
      ),
      sessions: all("SELECT session_id, project, started_at, status FROM sessions ORDER BY id").map(
        (row) => ({
          sessionId: String(row["session_id"]),
          project: String(row["project"]),
          startedAt: Number(row["started_at"]),
          status: row["status"] === "ended" ? "ended" : "active",
        }),
      ),
      summaries: all("SELECT * FROM session_summaries ORDER BY id").map((row) => ({
        sessionId: String(row["session_id"]),
        project: String(row["project"]),
        request: String(row["request"]),
        investigated: String(row["investigated"]),
        learned: String(row["learned"]),
        completed: String(row["completed"]),
        nextSteps: String(row["next_steps"]),
        at: Number(row["created_at"]),
      })),
      links: all(
        "SELECT l.key, s.key AS target FROM scope_links l JOIN memory_scopes s ON s.id = l.scope ORDER BY l.key",
      ).map((row) => ({ from: String(row["key"]), into: String(row["target"]) })),
    };
  }

  /** Takes over the side records of a folder. Call it before any memory is put in. */
  async writeSide(side: SideRecords): Promise<void> {
    const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));
    this.#connection.prepare("UPDATE memory_statistics SET content_salt = ?").run(bytes(side.salt));
    for (const { key, at } of side.forgotten)
      this.#connection
        .prepare("INSERT OR IGNORE INTO tombstones(content_key, forgotten_at) VALUES(?, ?)")
        .run(bytes(key), at);
    for (const { from, into } of side.links)
      this.#connection
        .prepare("INSERT OR REPLACE INTO scope_links(key, scope) VALUES(?, ?)")
        .run(from, scopeOf(this.#connection, into).number);
    for (const session of side.sessions) await this.store.startSession(session);
    for (const summary of side.summaries) await this.store.addSummary(summary);
  }

  /** Vectors of another index for the memories that are here, and the sign for readers that rows are others now. */
  takeVectors(older: NoteIndex, unchanged: ReadonlySet<string>): void {
    const rows = older.#connection
      .prepare(
        `SELECT m.uid, e.fingerprint, v.scale, v.packed FROM memory_vectors v JOIN memories m ON m.id = v.memory
         JOIN embedding_spaces e ON e.id = v.space`,
      )
      .all();
    for (const row of rows) {
      if (!unchanged.has(String(row["uid"]))) continue;
      this.#connection
        .prepare("INSERT OR IGNORE INTO embedding_spaces(fingerprint) VALUES(?)")
        .run(String(row["fingerprint"]));
      this.#connection
        .prepare(
          `INSERT OR IGNORE INTO memory_vectors(space, memory, scale, packed)
           SELECT e.id, m.id, ?, ? FROM embedding_spaces e, memories m WHERE e.fingerprint = ? AND m.uid = ?`,
        )
        .run(row["scale"]!, row["packed"]!, String(row["fingerprint"]), String(row["uid"]));
    }
    const erasures = older.#connection.prepare("SELECT erasures FROM memory_statistics").get()?.["erasures"];
    changeStatistics(this.#connection, { erasures: Number(erasures) + 1 });
  }
}
