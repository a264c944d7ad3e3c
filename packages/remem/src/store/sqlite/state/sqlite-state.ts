import type {
  CorrectionRecord,
  EngineState,
  ProjectAlias,
  ProjectEvidence,
  ProjectRecord,
  ProjectResolution,
} from "../../../core/ports/engine-state.ts";
import type { RecallTrace } from "../../../core/trace/recall-trace.ts";
import type { SqlConnection } from "../driver.ts";
import { inTransaction, reading } from "../transaction.ts";
import { putCorrection, selectCorrections } from "./corrections.ts";
import { linkProjects } from "./link-projects.ts";
import { resolveProject, selectProjects } from "./projects.ts";
import { addTrace, selectTraces } from "./traces.ts";

/** What the engine keeps besides memories, in the same file. */
export class SqliteState implements EngineState {
  readonly #connection: SqlConnection;
  readonly #newId: () => string;

  constructor(connection: SqlConnection, newId: () => string) {
    this.#connection = connection;
    this.#newId = newId;
  }

  async resolveProject(
    aliases: readonly ProjectAlias[],
    evidence: ProjectEvidence,
    at: number,
  ): Promise<ProjectResolution> {
    return this.#write((connection) => resolveProject(connection, aliases, evidence, at, this.#newId));
  }

  async projects(): Promise<ProjectRecord[]> {
    return this.#read((connection) => selectProjects(connection));
  }

  async linkProjects(from: string, into: string): Promise<number> {
    return this.#write((connection) => linkProjects(connection, from, into));
  }

  async addTrace(trace: RecallTrace): Promise<void> {
    this.#write((connection) => addTrace(connection, trace));
  }

  async traces({
    sessionId,
    limit,
  }: {
    readonly sessionId?: string;
    readonly limit: number;
  }): Promise<RecallTrace[]> {
    return this.#read((connection) => selectTraces(connection, sessionId, limit));
  }

  async putCorrection(correction: CorrectionRecord, expected: number | null): Promise<boolean> {
    return this.#write((connection) => putCorrection(connection, correction, expected));
  }

  async corrections(
    states: readonly CorrectionRecord["state"][],
    limit: number,
  ): Promise<CorrectionRecord[]> {
    return this.#read((connection) => selectCorrections(connection, states, limit));
  }

  async takeLease(name: string, owner: string, now: number, until: number): Promise<boolean> {
    return this.#write(
      (connection) =>
        connection
          .prepare(
            `INSERT INTO leases(name, owner, until) VALUES(?, ?, ?)
             ON CONFLICT(name) DO UPDATE SET owner = excluded.owner, until = excluded.until
             WHERE leases.owner = excluded.owner OR leases.until <= ?`,
          )
          .run(name, owner, until, now).changes > 0,
    );
  }

  async giveLease(name: string, owner: string): Promise<void> {
    this.#write((connection) =>
      connection.prepare("DELETE FROM leases WHERE name = ? AND owner = ?").run(name, owner),
    );
  }

  async spend(counter: string, amount: number, cap: number): Promise<boolean> {
    return this.#write(
      (connection) =>
        connection
          .prepare(
            `INSERT INTO counters(name, amount) SELECT ?1, ?2 WHERE ?2 <= ?3
             ON CONFLICT(name) DO UPDATE SET amount = amount + excluded.amount WHERE amount + excluded.amount <= ?3`,
          )
          .run(counter, amount, cap).changes > 0,
    );
  }

  async counter(counter: string): Promise<number> {
    return this.#read((connection) =>
      Number(connection.prepare("SELECT amount FROM counters WHERE name = ?").get(counter)?.["amount"] ?? 0),
    );
  }

  #write<T>(work: (connection: SqlConnection) => T): T {
    return inTransaction(this.#connection, () => work(this.#connection));
  }

  #read<T>(work: (connection: SqlConnection) => T): T {
    return reading(this.#connection, () => work(this.#connection));
  }
}
