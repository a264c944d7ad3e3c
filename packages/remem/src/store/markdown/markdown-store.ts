import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { MemoryRecord, NewMemory } from "../../core/memory/record.ts";
import type { MemoryScope } from "../../core/memory/scope.ts";
import type { StatefulStore } from "../../core/ports/engine-state.ts";
import type {
  AddResult,
  Entry,
  ForgetReport,
  LexicalHits,
  LexicalQuery,
  MemoryChange,
  MemoryStore,
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
import type { SqliteStore } from "../sqlite/sqlite-store.ts";
import { fileError } from "./file-error.ts";
import { FolderNotes } from "./folder-notes.ts";
import { FolderState } from "./folder-state.ts";
import { remarkNote, writeNote } from "./note/note-record.ts";
import { noteName, readText, writeFiles } from "./note-files.ts";
import { type IndexContext, NoteIndex } from "./note-index.ts";
import { SideFile } from "./side-file.ts";

export interface MarkdownContext extends IndexContext {
  readonly folder: string;
  readonly scope: MemoryScope;
}

/**
 * Memories as Markdown notes, one a file, which people may read and edit: the files are the truth, and an index in memory is made from them.
 * Each call sees what was changed before it. Two programs may use one folder; of two changes to one note at the same moment the last counts.
 */
export class MarkdownStore implements StatefulStore {
  readonly state: FolderState;
  readonly #context: MarkdownContext;
  readonly #folder: FolderNotes;
  readonly #side: SideFile;
  #index: NoteIndex;
  /** The marks of each memory as its note has them, and the path of the note. */
  #written = new Map<string, { readonly path: string; readonly marks: string }>();
  #last: Promise<unknown> = Promise.resolve();

  private constructor(context: MarkdownContext, index: NoteIndex, side: SideFile) {
    this.#context = context;
    this.#folder = new FolderNotes(context.folder, context.scope);
    this.#index = index;
    this.#side = side;
    this.state = new FolderState(context, (from, into) =>
      this.#writing((store) => store.state.linkProjects(from, into)),
    );
  }

  static async open(context: MarkdownContext): Promise<MarkdownStore> {
    const index = await NoteIndex.open(context);
    const store = new MarkdownStore(context, index, new SideFile(context.folder));
    await store.#reading(async () => undefined);
    return store;
  }

  add(entries: readonly Entry[]): Promise<AddResult[]> {
    return this.#writing((store) => store.add(entries));
  }
  get(ids: readonly string[], scopes?: readonly MemoryScope[]): Promise<MemoryRecord[]> {
    return this.#reading((store) => store.get(ids, scopes));
  }
  list(selection: Selection, limit: number): Promise<MemoryRecord[]> {
    return this.#reading((store) => store.list(selection, limit));
  }
  timeline(id: string, before: number, after: number): Promise<MemoryRecord[]> {
    return this.#reading((store) => store.timeline(id, before, after));
  }
  lexical(query: LexicalQuery): Promise<LexicalHits> {
    return this.#reading((store) => store.lexical(query));
  }
  neighbourhood(
    rows: readonly number[],
    reach: Parameters<MemoryStore["neighbourhood"]>[1],
    limits: Parameters<MemoryStore["neighbourhood"]>[2],
  ): Promise<RankingRow[]> {
    return this.#queued(() => this.#index.store.neighbourhood(rows, reach, limits));
  }
  records(rows: readonly number[]): Promise<ReadonlyMap<number, MemoryRecord>> {
    return this.#queued(() => this.#index.store.records(rows));
  }
  scopeNumbers(scopes: readonly MemoryScope[]): Promise<ReadonlySet<number>> {
    return this.#queued(() => this.#index.store.scopeNumbers(scopes));
  }
  vectors(
    fingerprint: string,
    after: number,
  ): Promise<{ readonly erasures: number; readonly vectors: readonly StoredVector[] }> {
    return this.#queued(() => this.#index.store.vectors(fingerprint, after));
  }
  withoutVector(
    fingerprint: string,
    limit: number,
  ): Promise<{ readonly row: number; readonly text: string }[]> {
    return this.#reading((store) => store.withoutVector(fingerprint, limit));
  }
  putVectors(
    fingerprint: string,
    vectors: readonly { readonly row: number; readonly packed: PackedVector }[],
  ): Promise<void> {
    return this.#queued(() => this.#index.store.putVectors(fingerprint, vectors));
  }
  removeVectors(fingerprint: string): Promise<number> {
    return this.#queued(() => this.#index.store.removeVectors(fingerprint));
  }
  mark(ids: readonly string[], change: MemoryChange): Promise<number> {
    return this.#writing((store) => store.mark(ids, change));
  }
  replace(id: string, entry: Entry): Promise<AddResult | null> {
    return this.#writing((store) => store.replace(id, entry));
  }
  async forget(
    selection: Selection,
    at: number,
    options?: { readonly tombstones?: boolean },
  ): Promise<ForgetReport> {
    const erased: MemoryRecord[] = [];
    const report = await this.#writing(async (store) => {
      erased.push(...(await store.list(selection, Number.MAX_SAFE_INTEGER)));
      return await store.forget(selection, at, options);
    });
    const sessions = erased.map(({ provenance }) => provenance.sessionId);
    if (selection.sessionId !== undefined) sessions.push(selection.sessionId);
    await this.state.forgetQuotes(
      erased.map(({ id }) => id),
      sessions,
    );
    return report;
  }
  forgotten(memories: readonly Pick<NewMemory, "scope" | "title" | "text">[]): Promise<boolean[]> {
    return this.#reading((store) => store.forgotten(memories));
  }
  startSession(session: SessionRecord): Promise<void> {
    return this.#writing((store) => store.startSession(session));
  }
  endSession(sessionId: string): Promise<void> {
    return this.#writing((store) => store.endSession(sessionId));
  }
  addSummary(summary: SessionSummary): Promise<void> {
    return this.#writing((store) => store.addSummary(summary));
  }
  summaries(project: string, limit: number): Promise<SessionSummary[]> {
    return this.#reading((store) => store.summaries(project, limit));
  }
  scan(after: number, limit: number): Promise<Part<MemoryRecord>> {
    return this.#reading((store) => store.scan(after, limit));
  }
  scanSummaries(after: number, limit: number): Promise<Part<SessionSummary>> {
    return this.#reading((store) => store.scanSummaries(after, limit));
  }
  restore(records: readonly MemoryRecord[]): Promise<RestoreOutcome[]> {
    return this.#writing((store) => store.restore(records));
  }
  status(): Promise<StoreStatus> {
    return this.#reading((store) => store.status());
  }

  /** What is wrong with the index, and each note that cannot be read, by its path. */
  async check(): Promise<string[]> {
    const found = await this.#reading((store) => store.check());
    const problems = [...this.#folder.notes].flatMap(([path, { problem }]) =>
      problem === undefined ? [] : [`note ${path}: ${problem}`],
    );
    return [...found, ...problems];
  }

  close(): Promise<void> {
    return this.#queued(async () => {
      await this.state.close();
      await this.#index.store.close();
    });
  }

  #reading<T>(work: (store: SqliteStore) => Promise<T>): Promise<T> {
    return this.#queued(async () => {
      await this.#takeChanges();
      return await work(this.#index.store);
    });
  }

  #writing<T>(work: (store: SqliteStore) => Promise<T>): Promise<T> {
    return this.#queued(async () => {
      await this.#takeChanges();
      const result = await work(this.#index.store);
      try {
        await this.#writeDown();
      } catch (error) {
        // Nothing may be remembered that no file holds.
        await this.#rebuild(new Set());
        throw error;
      }
      return result;
    });
  }

  /** One call after the other: each sees the files and the index as the one before left them. */
  #queued<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work, work).catch((error: unknown) => {
      throw fileError(error);
    });
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #takeChanges(): Promise<void> {
    const sideChanged = await this.#side.refresh(this.#index);
    const { added, changed, gone } = await this.#folder.refresh();
    if (sideChanged || changed.length + gone.length > 0) await this.#rebuild(new Set(changed));
    else if (added.length > 0) await this.#putIn(added);
  }

  /** Makes the index anew from the notes as they were read. */
  async #rebuild(changed: ReadonlySet<string>): Promise<void> {
    const older = this.#index;
    this.#index = await NoteIndex.open(this.#context);
    await this.#index.writeSide(this.#side.records ?? { ...NOTHING, salt: older.readSide().salt });
    this.#written = new Map();
    await this.#putIn([...this.#folder.notes.keys()]);
    const same = [...this.#folder.notes].filter(([path]) => !changed.has(path));
    this.#index.takeVectors(older, new Set(same.flatMap(([, { record }]) => record?.id ?? [])));
    await older.store.close();
  }

  async #putIn(paths: readonly string[]): Promise<void> {
    const found = paths
      .flatMap((path) => {
        const record = this.#folder.notes.get(path)?.record;
        return record === undefined ? [] : [{ path, record }];
      })
      .sort(
        (a, b) =>
          a.record.recordedAt - b.record.recordedAt ||
          a.record.at - b.record.at ||
          (a.record.id < b.record.id ? -1 : 1),
      );
    for (const { path, record } of found) {
      const twin = this.#written.get(record.id);
      if (twin !== undefined) {
        this.#folder.setProblem(path, `it has the id of ${twin.path}: remove its field "id"`);
        continue;
      }
      const [outcome] = await this.#index.store.restore([record]);
      if (outcome === "forgotten")
        this.#folder.setProblem(path, "its text was erased from memory once: change it, or remove the file");
      // What the note says, not what it came to among the others: the difference is written at the next write.
      if (outcome === "added") this.#written.set(record.id, { path, marks: marksOf(record) });
    }
  }

  /** Brings the files to what the index has: new notes, changed marks, and no note of what was erased. */
  async #writeDown(): Promise<void> {
    const marks = this.#index.marks();
    const changed = [...marks]
      .filter(([id, text]) => this.#written.get(id)?.marks !== text)
      .map(([id]) => id);
    const gone = [...this.#written].filter(([id]) => !marks.has(id));
    const contents = new Map<string, { readonly content: string; readonly record: MemoryRecord }>();
    for (const record of await this.#index.store.get(changed)) {
      const known = this.#written.get(record.id);
      const path = known?.path ?? noteName(record);
      const content =
        known === undefined
          ? await writeNote(record)
          : await remarkNote(await readText(join(this.#context.folder, path)), record);
      contents.set(path, { content, record });
    }
    await writeFiles(
      new Map([...contents].map(([path, { content }]) => [join(this.#context.folder, path), content])),
    );
    for (const [path, { content, record }] of contents) {
      await this.#folder.note(path, content, record);
      this.#written.set(record.id, { path, marks: marks.get(record.id)! });
    }
    await this.#side.write(this.#index.readSide());
    for (const [id, { path }] of gone) {
      await rm(join(this.#context.folder, path), { force: true });
      this.#folder.remove(path);
      this.#written.delete(id);
    }
  }
}

const NOTHING = { forgotten: [], sessions: [], summaries: [], links: [] };

/** The same text as NoteIndex.marks gives. */
function marksOf({ state, freshness, pinned, validTo, supersededBy }: MemoryRecord): string {
  return JSON.stringify([state, freshness, pinned ? 1 : 0, validTo ?? null, supersededBy ?? null]);
}
