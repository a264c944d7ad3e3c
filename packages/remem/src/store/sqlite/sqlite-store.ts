import type { Freshness, MemoryRecord } from "../../core/memory/record.ts";
import { type MemoryScope, scopeKey } from "../../core/memory/scope.ts";
import type {
  AddResult,
  Entry,
  ForgetReport,
  LexicalHits,
  LexicalQuery,
  MemoryStore,
  RankingRow,
  Selection,
  SessionRecord,
  SessionSummary,
  StoredVector,
  StoreStatus,
} from "../../core/ports/memory-store.ts";
import type { PackedVector } from "../../core/vectors/packed-vector.ts";
import { type AddContext, addMemory } from "./add-memory.ts";
import { adoptObservations } from "./adopt-observations.ts";
import { checkStore } from "./check-store.ts";
import { forgetMemories } from "./forget-memories.ts";
import { searchIndex } from "./lexical-search.ts";
import { markMemories } from "./mark-memories.ts";
import { RANKING_COLUMNS, selectRecords, selectRecordsByRow, toRankingRow } from "./memory-rows.ts";
import { selectionCondition } from "./selection.ts";
import { addSummary, selectSummaries } from "./session-rows.ts";
import { changeStatistics, readStatistics } from "./statistics.ts";
import { inTransaction, storeError } from "./transaction.ts";
import { insertVector, selectVectors } from "./vector-rows.ts";

const ADOPTED_AT_ONCE = 500;

/** Memories in one SQLite file that many programs share. Open it with `openSqliteStore`. */
export class SqliteStore implements MemoryStore {
  readonly #context: AddContext;

  constructor(context: AddContext) {
    this.#context = context;
  }

  /** Indexes what another program wrote since; see adoptObservations. */
  adopt(): void {
    const { connection, now, newId } = this.#context;
    const observations = Number(connection.prepare("SELECT count(*) AS n FROM observations").get()?.["n"]);
    if (observations === readStatistics(connection).memories) return;
    while (inTransaction(connection, () => adoptObservations(connection, ADOPTED_AT_ONCE, now(), newId)) > 0);
  }

  async add(entries: readonly Entry[]): Promise<AddResult[]> {
    return this.#write(() => entries.map((entry) => addMemory(this.#context, entry)));
  }

  async get(ids: readonly string[], scopes?: readonly MemoryScope[]): Promise<MemoryRecord[]> {
    const allowed = scopes === undefined ? undefined : new Set(scopes.map(scopeKey));
    const found = this.#read(() =>
      selectRecords(this.#context.connection, "WHERE m.uid IN (SELECT value FROM json_each(?))", [
        JSON.stringify(ids),
      ]),
    );
    const byId = new Map(found.map((record) => [record.id, record]));
    return ids.flatMap((id) => {
      const record = byId.get(id);
      return record === undefined || allowed?.has(scopeKey(record.scope)) === false ? [] : [record];
    });
  }

  async list(selection: Selection, limit: number): Promise<MemoryRecord[]> {
    const { condition, values } = selectionCondition(selection);
    return this.#read(() =>
      selectRecords(this.#context.connection, `${condition} ORDER BY m.said_at DESC, m.id DESC LIMIT ?`, [
        ...values,
        limit,
      ]),
    );
  }

  async timeline(id: string, before: number, after: number): Promise<MemoryRecord[]> {
    return this.#read(() =>
      selectRecords(
        this.#context.connection,
        `JOIN memories anchor ON anchor.uid = ? AND m.session = anchor.session AND m.scope = anchor.scope
         AND m.sequence BETWEEN anchor.sequence - ? AND anchor.sequence + ? ORDER BY m.sequence`,
        [id, before, after],
      ),
    );
  }

  async lexical(query: LexicalQuery): Promise<LexicalHits> {
    return this.#read(() => searchIndex(this.#context.connection, query, this.#scopeNumbers(query.scopes)));
  }

  async neighbourhood(
    rows: readonly number[],
    reach: { readonly before: number; readonly after: number },
    limits: { readonly scopes: readonly MemoryScope[]; readonly states: readonly string[] },
  ): Promise<RankingRow[]> {
    const scopes = this.#read(() => this.#scopeNumbers(limits.scopes));
    return this.#read(() =>
      this.#context.connection
        .prepare(
          `SELECT ${RANKING_COLUMNS} FROM memories m JOIN memory_terms t ON t.id = m.id
           WHERE m.id IN (
             SELECT near.id FROM json_each(?) asked JOIN memories hit ON hit.id = asked.value
             JOIN memories near ON near.session = hit.session
               AND near.sequence BETWEEN hit.sequence - hit.said * ? AND hit.sequence + hit.said * ?)
           AND m.scope IN (SELECT value FROM json_each(?)) AND m.state IN (SELECT value FROM json_each(?))`,
        )
        .all(
          JSON.stringify(rows),
          reach.before,
          reach.after,
          JSON.stringify([...scopes]),
          JSON.stringify(limits.states),
        )
        .map(toRankingRow),
    );
  }

  async records(rows: readonly number[]): Promise<ReadonlyMap<number, MemoryRecord>> {
    return this.#read(() => selectRecordsByRow(this.#context.connection, rows));
  }

  async scopeNumbers(scopes: readonly MemoryScope[]): Promise<ReadonlySet<number>> {
    return this.#read(() => this.#scopeNumbers(scopes));
  }

  async vectors(
    fingerprint: string,
    after: number,
  ): Promise<{ readonly erasures: number; readonly vectors: readonly StoredVector[] }> {
    return this.#read(() => ({
      erasures: readStatistics(this.#context.connection).erasures,
      vectors: selectVectors(this.#context.connection, fingerprint, after),
    }));
  }

  async withoutVector(
    fingerprint: string,
    limit: number,
  ): Promise<{ readonly row: number; readonly text: string }[]> {
    return this.#read(() =>
      this.#context.connection
        .prepare(
          `SELECT m.id, o.title, o.text, m.attachment FROM memories m JOIN observations o ON o.id = m.id
           WHERE NOT EXISTS (SELECT 1 FROM memory_vectors v JOIN embedding_spaces e ON e.id = v.space
             WHERE v.memory = m.id AND e.fingerprint = ?) ORDER BY m.id LIMIT ?`,
        )
        .all(fingerprint, limit)
        .map((row) => ({
          row: row["id"] as number,
          text: [row["title"], row["text"], row["attachment"]].filter((part) => part !== "").join("\n"),
        })),
    );
  }

  async putVectors(
    fingerprint: string,
    vectors: readonly { readonly row: number; readonly packed: PackedVector }[],
  ): Promise<void> {
    this.#write(() => {
      const { connection } = this.#context;
      let replaced = false;
      for (const { row, packed } of vectors) {
        // Erased while its vector was made.
        if (connection.prepare("SELECT 1 AS found FROM memories WHERE id = ?").get(row) === undefined)
          continue;
        replaced = insertVector(connection, fingerprint, row, packed) || replaced;
      }
      // Rows below the last one loaded are only noticed by a reader that loads everything again.
      if (vectors.length > 0) changeStatistics(connection, { erasures: 1 });
      return replaced;
    });
  }

  async mark(
    ids: readonly string[],
    change: { readonly state?: "active" | "candidate"; readonly freshness?: Freshness },
  ): Promise<number> {
    return this.#write(() => markMemories(this.#context.connection, ids, change));
  }

  async forget(selection: Selection, at: number): Promise<ForgetReport> {
    const { connection } = this.#context;
    const report = this.#write(() => forgetMemories(connection, selection, at));
    if (report.memories + report.summaries > 0) this.#scrub();
    return report;
  }

  async startSession({ sessionId, project, startedAt, status }: SessionRecord): Promise<void> {
    this.#write(() =>
      this.#context.connection
        .prepare(
          `INSERT INTO sessions(session_id, project, started_at, status) VALUES(?, ?, ?, ?)
           ON CONFLICT(session_id) DO UPDATE SET status = excluded.status`,
        )
        .run(sessionId, project, startedAt, status),
    );
  }

  async endSession(sessionId: string): Promise<void> {
    this.#write(() =>
      this.#context.connection
        .prepare("UPDATE sessions SET status = 'ended' WHERE session_id = ?")
        .run(sessionId),
    );
  }

  async addSummary(summary: SessionSummary): Promise<void> {
    this.#write(() => addSummary(this.#context.connection, summary));
  }

  async summaries(project: string, limit: number): Promise<SessionSummary[]> {
    return this.#read(() => selectSummaries(this.#context.connection, project, limit));
  }

  async status(): Promise<StoreStatus> {
    return this.#read(() => {
      const { connection } = this.#context;
      const counted = (sql: string): Record<string, number> =>
        Object.fromEntries(
          connection
            .prepare(sql)
            .all()
            .map((row) => [String(row["name"]), Number(row["n"])]),
        );
      const { memories } = readStatistics(connection);
      return {
        memories,
        byState: counted("SELECT state AS name, count(*) AS n FROM memories GROUP BY state"),
        sessions: Number(connection.prepare("SELECT count(*) AS n FROM sessions").get()?.["n"]),
        vectors: counted(
          `SELECT e.fingerprint AS name, count(v.memory) AS n FROM embedding_spaces e
           LEFT JOIN memory_vectors v ON v.space = e.id GROUP BY e.id`,
        ),
      };
    });
  }

  async check(): Promise<string[]> {
    return this.#read(() => checkStore(this.#context.connection));
  }

  async close(): Promise<void> {
    this.#context.connection.close();
  }

  /** Leaves no byte of what was erased: neither in the write-ahead log nor in pages the index no longer uses. */
  #scrub(): void {
    const { connection } = this.#context;
    connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  #scopeNumbers(scopes: readonly MemoryScope[]): ReadonlySet<number> {
    return new Set(
      this.#context.connection
        .prepare("SELECT id FROM memory_scopes WHERE key IN (SELECT value FROM json_each(?))")
        .all(JSON.stringify(scopes.map(scopeKey)))
        .map((row) => row["id"] as number),
    );
  }

  #write<T>(work: () => T): T {
    return inTransaction(this.#context.connection, work);
  }

  #read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeError(error);
    }
  }
}
