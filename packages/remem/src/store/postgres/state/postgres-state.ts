import type {
  CorrectionRecord,
  EngineState,
  ProjectAlias,
  ProjectEvidence,
  ProjectRecord,
  ProjectResolution,
} from "../../../core/ports/engine-state.ts";
import type { RecallTrace } from "../../../core/trace/recall-trace.ts";
import { TRACES_IN_ALL, TRACES_OF_A_SESSION } from "../../shared/limits.ts";
import type { Transactions } from "../transactions.ts";
import { linkProjects } from "./link-projects.ts";
import { resolveProject, selectProjects } from "./projects.ts";

/** What the engine keeps besides memories, in the same database. */
export class PostgresState implements EngineState {
  readonly #transactions: Transactions;
  readonly #newId: () => string;

  constructor(transactions: Transactions, newId: () => string) {
    this.#transactions = transactions;
    this.#newId = newId;
  }

  resolveProject(
    aliases: readonly ProjectAlias[],
    evidence: ProjectEvidence,
    at: number,
  ): Promise<ProjectResolution> {
    return this.#transactions.write((session) => resolveProject(session, aliases, evidence, at, this.#newId));
  }

  projects(): Promise<ProjectRecord[]> {
    return this.#transactions.read(selectProjects);
  }

  linkProjects(from: string, into: string): Promise<number> {
    return this.#transactions.write((session) => linkProjects(session, from, into));
  }

  addTrace(trace: RecallTrace): Promise<void> {
    return this.#transactions.write(async (session) => {
      await session.query("INSERT INTO recall_traces(session_id, content) VALUES($1, $2)", [
        trace.sessionId,
        JSON.stringify(trace),
      ]);
      await session.query(
        `DELETE FROM recall_traces WHERE session_id = $1 AND id <=
           (SELECT id FROM recall_traces WHERE session_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)`,
        [trace.sessionId, TRACES_OF_A_SESSION],
      );
      await session.query(
        "DELETE FROM recall_traces WHERE id <= (SELECT id FROM recall_traces ORDER BY id DESC LIMIT 1 OFFSET $1)",
        [TRACES_IN_ALL],
      );
    });
  }

  traces({
    sessionId,
    limit,
  }: {
    readonly sessionId?: string;
    readonly limit: number;
  }): Promise<RecallTrace[]> {
    return this.#transactions.read(async (session) => {
      const rows = await session.query(
        "SELECT content FROM recall_traces WHERE $1::text IS NULL OR session_id = $1 ORDER BY id DESC LIMIT $2",
        [sessionId ?? null, limit],
      );
      return rows.map((row) => JSON.parse(String(row["content"])) as RecallTrace);
    });
  }

  putCorrection(correction: CorrectionRecord, expected: number | null): Promise<boolean> {
    const { id, revision, state, at, sessionId } = correction;
    const values = [id, revision, state, at, sessionId, JSON.stringify(correction)];
    return this.#transactions.write(async (session) => {
      const changed =
        expected === null
          ? await session.change(
              `INSERT INTO corrections(id, revision, state, said_at, session_id, content) VALUES($1, $2, $3, $4, $5, $6)
               ON CONFLICT(id) DO NOTHING`,
              values,
            )
          : await session.change(
              `UPDATE corrections SET revision = $2, state = $3, said_at = $4, session_id = $5, content = $6
               WHERE id = $1 AND revision = $7`,
              [...values, expected],
            );
      return changed > 0;
    });
  }

  corrections(states: readonly CorrectionRecord["state"][], limit: number): Promise<CorrectionRecord[]> {
    return this.#transactions.read(async (session) => {
      const rows = await session.query(
        "SELECT content FROM corrections WHERE state = ANY($1::text[]) ORDER BY said_at DESC, id DESC LIMIT $2",
        [states, limit],
      );
      return rows.map((row) => JSON.parse(String(row["content"])) as CorrectionRecord);
    });
  }

  takeLease(name: string, owner: string, now: number, until: number): Promise<boolean> {
    return this.#transactions.write(
      async (session) =>
        (await session.change(
          `INSERT INTO leases(name, owner, until) VALUES($1, $2, $3)
           ON CONFLICT(name) DO UPDATE SET owner = excluded.owner, until = excluded.until
           WHERE leases.owner = excluded.owner OR leases.until <= $4`,
          [name, owner, until, now],
        )) > 0,
    );
  }

  giveLease(name: string, owner: string): Promise<void> {
    return this.#transactions.write(async (session) => {
      await session.query("DELETE FROM leases WHERE name = $1 AND owner = $2", [name, owner]);
    });
  }

  spend(counter: string, amount: number, cap: number): Promise<boolean> {
    return this.#transactions.write(
      async (session) =>
        (await session.change(
          `INSERT INTO counters(name, amount) SELECT $1, $2::bigint WHERE $2::bigint <= $3::bigint
           ON CONFLICT(name) DO UPDATE SET amount = counters.amount + excluded.amount
           WHERE counters.amount + excluded.amount <= $3::bigint`,
          [counter, amount, cap],
        )) > 0,
    );
  }

  counter(counter: string): Promise<number> {
    return this.#transactions.read(async (session) => {
      const [row] = await session.query("SELECT amount FROM counters WHERE name = $1", [counter]);
      return Number(row?.["amount"] ?? 0);
    });
  }
}
