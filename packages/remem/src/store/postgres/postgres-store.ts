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
import { markMemories, replaceMemory } from "./change-memories.ts";
import { checkStore } from "./check-store.ts";
import { wasForgotten } from "./content-key.ts";
import type { PgSession } from "./database.ts";
import { forgetMemories } from "./forget-memories.ts";
import { searchTerms } from "./lexical-search.ts";
import { scanRecords, selectRecords } from "./memory-rows.ts";
import { selectNeighbourhood } from "./ranking-rows.ts";
import { restoreMemory } from "./restore-memory.ts";
import { findScopes, scopeNumbers } from "./scopes.ts";
import { selectionCondition } from "./selection.ts";
import { addSummary, scanSummaries, selectSummaries } from "./session-rows.ts";
import { PostgresState } from "./state/postgres-state.ts";
import { changeStatistics, readStatistics } from "./statistics.ts";
import type { Transactions } from "./transactions.ts";
import { putVector, removeVectors, selectVectors } from "./vector-rows.ts";

export interface PostgresContext {
  readonly transactions: Transactions;
  readonly now: () => number;
  readonly newId: () => string;
  readonly vectorType: boolean;
}

/** Memories in one PostgreSQL schema that a team shares. Open it with `openPostgresStore`. */
export class PostgresStore implements StatefulStore {
  readonly state: EngineState;
  readonly #context: PostgresContext;
  readonly #transactions: Transactions;

  constructor(context: PostgresContext) {
    this.#context = context;
    this.#transactions = context.transactions;
    this.state = new PostgresState(context.transactions, context.newId);
  }

  add(entries: readonly Entry[]): Promise<AddResult[]> {
    return this.#transactions.write(async (session) => {
      const results: AddResult[] = [];
      for (const entry of entries) results.push(await addMemory(this.#adding(session), entry));
      return results;
    });
  }

  async get(ids: readonly string[], scopes?: readonly MemoryScope[]): Promise<MemoryRecord[]> {
    return this.#transactions.read(async (session) => {
      const allowed =
        scopes === undefined
          ? undefined
          : new Set((await findScopes(session, scopes.map(scopeKey))).map(({ key }) => key));
      const found = await selectRecords(session, "WHERE m.uid = ANY($1::text[])", [ids]);
      const byId = new Map(found.map(({ record }) => [record.id, record]));
      return ids.flatMap((id) => {
        const record = byId.get(id);
        return record === undefined || allowed?.has(scopeKey(record.scope)) === false ? [] : [record];
      });
    });
  }

  async list(selection: Selection, limit: number): Promise<MemoryRecord[]> {
    return this.#transactions.read(async (session) => {
      const { condition, values } = await selectionCondition(session, selection);
      const order = `ORDER BY m.said_at DESC, m.id DESC LIMIT $${values.length + 1}`;
      const found = await selectRecords(session, `${condition} ${order}`, [...values, limit]);
      return found.map(({ record }) => record);
    });
  }

  timeline(id: string, before: number, after: number): Promise<MemoryRecord[]> {
    return this.#transactions.read(async (session) => {
      const found = await selectRecords(
        session,
        `JOIN memories anchor ON anchor.uid = $1 AND m.session = anchor.session AND m.scope = anchor.scope
         AND m.sequence BETWEEN anchor.sequence - $2::int AND anchor.sequence + $3::int ORDER BY m.sequence`,
        [id, before, after],
      );
      return found.map(({ record }) => record);
    });
  }

  lexical(query: LexicalQuery): Promise<LexicalHits> {
    return this.#transactions.read((session) => searchTerms(session, query));
  }

  neighbourhood(
    rows: readonly number[],
    reach: { readonly before: number; readonly after: number },
    limits: { readonly scopes: readonly MemoryScope[]; readonly states: readonly string[] },
  ): Promise<RankingRow[]> {
    return this.#transactions.read((session) => selectNeighbourhood(session, rows, reach, limits));
  }

  records(rows: readonly number[]): Promise<ReadonlyMap<number, MemoryRecord>> {
    return this.#transactions.read(async (session) => {
      const found = await selectRecords(session, "WHERE m.id = ANY($1::bigint[]) ORDER BY m.id", [rows]);
      return new Map(found.map(({ row, record }) => [row, record]));
    });
  }

  scopeNumbers(scopes: readonly MemoryScope[]): Promise<ReadonlySet<number>> {
    return this.#transactions.read(async (session) => new Set(await scopeNumbers(session, scopes)));
  }

  vectors(
    fingerprint: string,
    after: number,
  ): Promise<{ readonly erasures: number; readonly vectors: readonly StoredVector[] }> {
    return this.#transactions.read((session) => selectVectors(session, fingerprint, after));
  }

  withoutVector(
    fingerprint: string,
    limit: number,
  ): Promise<{ readonly row: number; readonly text: string }[]> {
    return this.#transactions.read(async (session) => {
      const rows = await session.query(
        `SELECT m.id, m.title, m.body, m.attachment FROM memories m
         WHERE NOT EXISTS (SELECT 1 FROM memory_vectors v JOIN embedding_spaces e ON e.id = v.space
           WHERE v.memory = m.id AND e.fingerprint = $1) ORDER BY m.id LIMIT $2`,
        [fingerprint, limit],
      );
      return rows.map((row) => ({
        row: Number(row["id"]),
        text: [row["title"], row["body"], row["attachment"]].filter((part) => part !== "").join("\n"),
      }));
    });
  }

  putVectors(
    fingerprint: string,
    vectors: readonly { readonly row: number; readonly packed: PackedVector }[],
  ): Promise<void> {
    return this.#transactions.write(async (session) => {
      const rows = vectors.map(({ row }) => row);
      const found = await session.query("SELECT id FROM memories WHERE id = ANY($1::bigint[])", [rows]);
      // Others were erased while their vectors were made.
      const there = new Set(found.map((row) => Number(row["id"])));
      for (const { row, packed } of vectors)
        if (there.has(row)) await putVector(session, this.#context.vectorType, fingerprint, row, packed);
      // Rows below the last one loaded are only noticed by a reader that loads everything again.
      if (vectors.length > 0) await changeStatistics(session, { erasures: 1 });
    });
  }

  removeVectors(fingerprint: string): Promise<number> {
    return this.#transactions.write((session) => removeVectors(session, fingerprint));
  }

  mark(ids: readonly string[], change: MemoryChange): Promise<number> {
    return this.#transactions.write((session) => markMemories(session, ids, change, this.#context.now()));
  }

  replace(id: string, entry: Entry): Promise<AddResult | null> {
    return this.#transactions.write((session) => replaceMemory(this.#adding(session), id, entry));
  }

  async forget(
    selection: Selection,
    at: number,
    { tombstones = true }: { readonly tombstones?: boolean } = {},
  ): Promise<ForgetReport> {
    return this.#transactions.write((session) => forgetMemories(session, selection, at, tombstones));
  }

  forgotten(memories: readonly Pick<NewMemory, "scope" | "title" | "text">[]): Promise<boolean[]> {
    return this.#transactions.write(async (session) => {
      const found: boolean[] = [];
      for (const memory of memories) found.push(await wasForgotten(session, memory));
      return found;
    });
  }

  startSession({ sessionId, project, startedAt, status }: SessionRecord): Promise<void> {
    return this.#transactions.write(async (session) => {
      await session.query(
        `INSERT INTO sessions(session_id, project, started_at, status) VALUES($1, $2, $3, $4)
         ON CONFLICT(session_id) DO UPDATE SET status = excluded.status`,
        [sessionId, project, startedAt, status],
      );
    });
  }

  endSession(sessionId: string): Promise<void> {
    return this.#transactions.write(async (session) => {
      await session.query("UPDATE sessions SET status = 'ended' WHERE session_id = $1", [sessionId]);
    });
  }

  addSummary(summary: SessionSummary): Promise<void> {
    return this.#transactions.write((session) => addSummary(session, summary));
  }

  summaries(project: string, limit: number): Promise<SessionSummary[]> {
    return this.#transactions.read((session) => selectSummaries(session, project, limit));
  }

  scan(after: number, limit: number): Promise<Part<MemoryRecord>> {
    return this.#transactions.read((session) => scanRecords(session, after, limit));
  }

  scanSummaries(after: number, limit: number): Promise<Part<SessionSummary>> {
    return this.#transactions.read((session) => scanSummaries(session, after, limit));
  }

  restore(records: readonly MemoryRecord[]): Promise<RestoreOutcome[]> {
    return this.#transactions.write(async (session) => {
      const outcomes: RestoreOutcome[] = [];
      for (const record of records) outcomes.push(await restoreMemory(session, record));
      return outcomes;
    });
  }

  status(): Promise<StoreStatus> {
    return this.#transactions.read(async (session) => {
      const counted = async (sql: string): Promise<Record<string, number>> =>
        Object.fromEntries((await session.query(sql)).map((row) => [String(row["name"]), Number(row["n"])]));
      const [sessions] = await session.query("SELECT count(*) AS n FROM sessions");
      return {
        memories: (await readStatistics(session)).memories,
        byState: await counted("SELECT state AS name, count(*) AS n FROM memories GROUP BY state"),
        sessions: Number(sessions?.["n"]),
        vectors: await counted(
          `SELECT e.fingerprint AS name, count(*) AS n FROM memory_vectors v JOIN embedding_spaces e ON e.id = v.space
           GROUP BY e.id`,
        ),
      };
    });
  }

  check(): Promise<string[]> {
    return this.#transactions.read(checkStore);
  }

  close(): Promise<void> {
    return this.#transactions.close();
  }

  #adding(session: PgSession): AddContext {
    const { now, newId, vectorType } = this.#context;
    return { session, now, newId, vectorType };
  }
}
