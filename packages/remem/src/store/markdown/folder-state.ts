import { existsSync } from "node:fs";
import { join } from "node:path";
import type {
  CorrectionRecord,
  EngineState,
  ProjectAlias,
  ProjectEvidence,
  ProjectRecord,
  ProjectResolution,
} from "../../core/ports/engine-state.ts";
import type { RecallTrace } from "../../core/trace/recall-trace.ts";
import { openSqliteStore } from "../sqlite/open-store.ts";
import type { SqliteStore } from "../sqlite/sqlite-store.ts";

export interface FolderStateContext {
  readonly folder: string;
  readonly now: () => number;
  readonly newId: () => string;
}

/** The engine's state of a folder of notes: an SQLite file in `.remem/`, made when something is first kept in it. Memories stay in the notes. */
export class FolderState implements EngineState {
  readonly #context: FolderStateContext;
  readonly #linkNotes: (from: string, into: string) => Promise<number>;
  #opened: Promise<SqliteStore> | undefined;

  constructor(context: FolderStateContext, linkNotes: (from: string, into: string) => Promise<number>) {
    this.#context = context;
    this.#linkNotes = linkNotes;
  }

  async resolveProject(
    aliases: readonly ProjectAlias[],
    evidence: ProjectEvidence,
    at: number,
  ): Promise<ProjectResolution> {
    return (await this.#open()).state.resolveProject(aliases, evidence, at);
  }
  async projects(): Promise<ProjectRecord[]> {
    return (await this.#open()).state.projects();
  }
  async linkProjects(from: string, into: string): Promise<number> {
    await (await this.#open()).state.linkProjects(from, into);
    return await this.#linkNotes(from, into);
  }
  async addTrace(trace: RecallTrace): Promise<void> {
    await (await this.#open()).state.addTrace(trace);
  }
  async traces(options: { readonly sessionId?: string; readonly limit: number }): Promise<RecallTrace[]> {
    return (await this.#open()).state.traces(options);
  }
  async putCorrection(correction: CorrectionRecord, expected: number | null): Promise<boolean> {
    return (await this.#open()).state.putCorrection(correction, expected);
  }
  async corrections(
    states: readonly CorrectionRecord["state"][],
    limit: number,
  ): Promise<CorrectionRecord[]> {
    return (await this.#open()).state.corrections(states, limit);
  }
  async takeLease(name: string, owner: string, now: number, until: number): Promise<boolean> {
    return (await this.#open()).state.takeLease(name, owner, now, until);
  }
  async giveLease(name: string, owner: string): Promise<void> {
    await (await this.#open()).state.giveLease(name, owner);
  }
  async spend(counter: string, amount: number, cap: number): Promise<boolean> {
    return (await this.#open()).state.spend(counter, amount, cap);
  }
  async counter(counter: string): Promise<number> {
    return (await this.#open()).state.counter(counter);
  }

  /** Erases what quotes these memories and sessions. */
  async forgetQuotes(ids: readonly string[], sessions: readonly string[]): Promise<void> {
    if (this.#opened !== undefined || existsSync(this.#path))
      (await this.#open()).forgetQuotes(ids, sessions);
  }

  async close(): Promise<void> {
    await (await this.#opened?.catch(() => undefined))?.close();
    this.#opened = undefined;
  }

  get #path(): string {
    return join(this.#context.folder, ".remem", "state.db");
  }

  #open(): Promise<SqliteStore> {
    const { now, newId } = this.#context;
    this.#opened ??= openSqliteStore({ path: this.#path, clock: { now }, newId }).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}
