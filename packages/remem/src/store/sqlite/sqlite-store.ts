import type { MemoryRecord, NewMemory } from "../../core/memory/record.ts";
import { type MemoryScope, scopeKey } from "../../core/memory/scope.ts";
import type { EngineState, StatefulStore } from "../../core/ports/engine-state.ts";
import type {
  AddResult,
  Entry,
  ForgetReport,
  LexicalHits,
  LexicalQuery,
  MemoryChange,
  Part,
  RankingRow,
  RestoreOutcome,
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
import { wasForgotten } from "./content-key.ts";
import type { SqlConnection } from "./driver.ts";
import { forgetMemories, forgetQuotes } from "./forget-memories.ts";
import { IdleCheckpoint, type Schedule } from "./idle-checkpoint.ts";
import { searchIndex } from "./lexical-search.ts";
import { markMemories } from "./mark-memories.ts";
import { scanRecords, selectRecords, selectRecordsByRow } from "./memory-rows.ts";
import { selectNeighbourhood } from "./ranking-rows.ts";
import { replaceMemory } from "./replace-memory.ts";
import { restoreMemory } from "./restore-memory.ts";
import { findScope, scopeNumbers } from "./scopes.ts";
import { selectionCondition } from "./selection.ts";
import { addSummary, scanSummaries, selectSummaries } from "./session-rows.ts";
import { SqliteState } from "./state/sqlite-state.ts";
import { changeStatistics, readStatistics } from "./statistics.ts";
import { TermFrequencies } from "./term-frequencies.ts";
import { inTransaction, reading, translated } from "./transaction.ts";
import { insertVector, removeVectors, selectVectors } from "./vector-rows.ts";

const ADOPTED_AT_ONCE = 500;

/** Memories in one SQLite file that many programs share. Open it with `openSqliteStore`. */
export class SqliteStore implements StatefulStore {
  readonly state: EngineState;
  readonly #context: AddContext;
  readonly #frequencies: TermFrequencies;
  readonly #checkpoint: IdleCheckpoint;

  constructor(context: AddContext, schedule?: Schedule) {
    this.#context = context;
    this.state = new SqliteState(context.connection, context.newId);
    this.#frequencies = new TermFrequencies(context.connection);
    this.#checkpoint = new IdleCheckpoint(context.connection, schedule);
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
    return this.#read((connection) => {
      const allowed = scopes === undefined ? undefined : this.#canonicalKeys(scopes);
      const found = selectRecords(connection, "WHERE m.uid IN (SELECT value FROM json_each(?))", [
        JSON.stringify(ids),
      ]);
      const byId = new Map(found.map((record) => [record.id, record]));
      return ids.flatMap((id) => {
        const record = byId.get(id);
        return record === undefined || allowed?.has(scopeKey(record.scope)) === false ? [] : [record];
      });
    });
  }

  async list(selection: Selection, limit: number): Promise<MemoryRecord[]> {
    return this.#read((connection) => {
      const { condition, values } = selectionCondition(connection, selection);
      const order = "ORDER BY m.said_at DESC, m.id DESC LIMIT ?";
      return selectRecords(connection, `${condition} ${order}`, [...values, limit]);
    });
  }

  async timeline(id: string, before: number, after: number): Promise<MemoryRecord[]> {
    return this.#read((connection) =>
      selectRecords(
        connection,
        `JOIN memories anchor ON anchor.uid = ? AND m.session = anchor.session AND m.scope = anchor.scope
         AND m.sequence BETWEEN anchor.sequence - ? AND anchor.sequence + ? ORDER BY m.sequence`,
        [id, before, after],
      ),
    );
  }

  async lexical(query: LexicalQuery): Promise<LexicalHits> {
    return this.#read((connection) =>
      searchIndex(connection, this.#frequencies, query, this.#scopeNumbers(query.scopes)),
    );
  }

  async neighbourhood(
    rows: readonly number[],
    reach: { readonly before: number; readonly after: number },
    limits: { readonly scopes: readonly MemoryScope[]; readonly states: readonly string[] },
  ): Promise<RankingRow[]> {
    return this.#read((connection) =>
      selectNeighbourhood(connection, rows, reach, [...this.#scopeNumbers(limits.scopes)], limits.states),
    );
  }

  async records(rows: readonly number[]): Promise<ReadonlyMap<number, MemoryRecord>> {
    return this.#read((connection) => selectRecordsByRow(connection, rows));
  }

  async scopeNumbers(scopes: readonly MemoryScope[]): Promise<ReadonlySet<number>> {
    return this.#read(() => this.#scopeNumbers(scopes));
  }

  async vectors(
    fingerprint: string,
    after: number,
  ): Promise<{ readonly erasures: number; readonly vectors: readonly StoredVector[] }> {
    return this.#read((connection) => ({
      erasures: readStatistics(connection).erasures,
      vectors: selectVectors(connection, fingerprint, after),
    }));
  }

  async withoutVector(
    fingerprint: string,
    limit: number,
  ): Promise<{ readonly row: number; readonly text: string }[]> {
    return this.#read((connection) =>
      connection
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
    const { connection } = this.#context;
    this.#write(() => {
      const isThere = connection.prepare("SELECT 1 AS found FROM memories WHERE id = ?");
      // Others were erased while their vectors were made.
      for (const { row, packed } of vectors)
        if (isThere.get(row) !== undefined) insertVector(connection, fingerprint, row, packed);
      // Rows below the last one loaded are only noticed by a reader that loads everything again.
      if (vectors.length > 0) changeStatistics(connection, { erasures: 1 });
    });
  }

  async removeVectors(fingerprint: string): Promise<number> {
    return this.#write(() => removeVectors(this.#context.connection, fingerprint));
  }

  async mark(ids: readonly string[], change: MemoryChange): Promise<number> {
    const { connection, now } = this.#context;
    return this.#write(() => markMemories(connection, ids, change, now()));
  }

  async replace(id: string, entry: Entry): Promise<AddResult | null> {
    return this.#write(() => replaceMemory(this.#context, id, entry));
  }

  async forget(
    selection: Selection,
    at: number,
    { tombstones = true }: { readonly tombstones?: boolean } = {},
  ): Promise<ForgetReport> {
    const { connection } = this.#context;
    const report = this.#write(() => forgetMemories(connection, selection, at, tombstones));
    if (report.memories + report.summaries > 0) this.#checkpoint.scrub();
    return report;
  }

  async forgotten(memories: readonly Pick<NewMemory, "scope" | "title" | "text">[]): Promise<boolean[]> {
    return this.#read((connection) => memories.map((memory) => wasForgotten(connection, memory)));
  }

  async scan(after: number, limit: number): Promise<Part<MemoryRecord>> {
    return this.#read((connection) => scanRecords(connection, after, limit));
  }

  async scanSummaries(after: number, limit: number): Promise<Part<SessionSummary>> {
    return this.#read((connection) => scanSummaries(connection, after, limit));
  }

  async restore(records: readonly MemoryRecord[]): Promise<RestoreOutcome[]> {
    return this.#write(() => records.map((record) => restoreMemory(this.#context.connection, record)));
  }

  /** Erases what quotes these memories and sessions, of a store that keeps its memories elsewhere. */
  forgetQuotes(ids: readonly string[], sessions: readonly string[]): void {
    this.#write(() => forgetQuotes(this.#context.connection, ids, sessions));
    this.#checkpoint.scrub();
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
    return this.#read((connection) => selectSummaries(connection, project, limit));
  }

  async status(): Promise<StoreStatus> {
    return this.#read((connection) => {
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
          `SELECT e.fingerprint AS name, count(*) AS n FROM memory_vectors v JOIN embedding_spaces e ON e.id = v.space
           GROUP BY e.id`,
        ),
      };
    });
  }

  async check(): Promise<string[]> {
    return translated(() => checkStore(this.#context.connection));
  }

  async close(): Promise<void> {
    this.#checkpoint.end();
    this.#context.connection.close();
  }

  #scopeNumbers(scopes: readonly MemoryScope[]): ReadonlySet<number> {
    return scopeNumbers(this.#context.connection, scopes);
  }

  #canonicalKeys(scopes: readonly MemoryScope[]): ReadonlySet<string> {
    return new Set(
      scopes.flatMap((scope) => findScope(this.#context.connection, scopeKey(scope))?.key ?? []),
    );
  }

  #write<T>(work: () => T): T {
    const result = inTransaction(this.#context.connection, work);
    this.#checkpoint.noteWrite();
    return result;
  }

  #read<T>(work: (connection: SqlConnection) => T): T {
    const { connection } = this.#context;
    return reading(connection, () => work(connection));
  }
}
