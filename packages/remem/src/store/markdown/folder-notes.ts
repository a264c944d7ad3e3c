import { join } from "node:path";
import type { MemoryRecord } from "../../core/memory/record.ts";
import type { MemoryScope } from "../../core/memory/scope.ts";
import { readNote } from "./note/note-record.ts";
import { contentHash, type FileState, fileState, listNotes, readText } from "./note-files.ts";

/** A note as it was read last. */
export interface ReadNote {
  readonly state: FileState;
  readonly hash: string;
  /** Undefined for a note that cannot be read; see `problem`. */
  readonly record: MemoryRecord | undefined;
  readonly problem: string | undefined;
}

/** What people, or other programs, did to the notes of a folder since they were read. */
export interface NoteChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly gone: readonly string[];
}

/** The notes of a folder, read again only when they are others. */
export class FolderNotes {
  readonly folder: string;
  readonly #scope: MemoryScope;
  readonly #notes = new Map<string, ReadNote>();

  constructor(folder: string, scope: MemoryScope) {
    this.folder = folder;
    this.#scope = scope;
  }

  /** By path below the folder. */
  get notes(): ReadonlyMap<string, ReadNote> {
    return this.#notes;
  }

  /** Looks at every file and reads those that are others. A note that cannot be read is one with a problem. */
  async refresh(): Promise<NoteChanges> {
    const files = listNotes(this.folder);
    const gone = [...this.#notes.keys()].filter((path) => !files.has(path));
    for (const path of gone) this.#notes.delete(path);
    const [added, changed]: [string[], string[]] = [[], []];
    for (const [path, state] of files) {
      const known = this.#notes.get(path);
      if (known !== undefined && sameState(known.state, state)) continue;
      const note = await this.#read(path, state);
      this.#notes.set(path, note);
      if (known === undefined) added.push(path);
      else if (known.hash !== note.hash) changed.push(path);
    }
    return { added, changed, gone };
  }

  /** This store wrote or read a note itself: it need not be read again. */
  async note(path: string, content: string, record: MemoryRecord): Promise<void> {
    const state = fileState(join(this.folder, path));
    if (state !== undefined)
      this.#notes.set(path, { state, hash: contentHash(content), record, problem: undefined });
  }

  remove(path: string): void {
    this.#notes.delete(path);
  }

  setProblem(path: string, problem: string): void {
    const note = this.#notes.get(path);
    if (note !== undefined) this.#notes.set(path, { ...note, problem });
  }

  async #read(path: string, state: FileState): Promise<ReadNote> {
    try {
      const content = await readText(join(this.folder, path));
      const hash = contentHash(content);
      try {
        const record = await readNote(content, { path, scope: this.#scope, changedAt: state.mtimeMs });
        return { state, hash, record, problem: undefined };
      } catch (error) {
        return { state, hash, record: undefined, problem: reasonOf(error) };
      }
    } catch (error) {
      return { state, hash: "", record: undefined, problem: reasonOf(error) };
    }
  }
}

export function reasonOf(error: unknown): string {
  if ((error as { code?: unknown }).code === "ERR_ENCODING_INVALID_ENCODED_DATA")
    return "it is no UTF-8 text";
  return error instanceof Error ? error.message : String(error);
}

function sameState(one: FileState, other: FileState): boolean {
  return one.mtimeMs === other.mtimeMs && one.size === other.size;
}
