import { join } from "node:path";
import type { PendingCall } from "../../contract/callbacks.ts";
import type { FileChange, FileState, PlaceDoor } from "../../contract/checkpoint.ts";
import { errorMessage } from "../../contract/errors.ts";
import type { FileDoor } from "../../contract/files.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Message } from "../../contract/messages.ts";
import type { SessionRecord } from "../../contract/session.ts";
import type { Session } from "../session.ts";
import type { TreeNode } from "../session-tree.ts";
import { type BlobStore, diskBlobs, memoryBlobs } from "./blob-store.ts";
import { CommandWatch, type Snapshot } from "./command-watch.ts";
import { changesOf, readChanges } from "./file-history.ts";
import { FileStates, sameState } from "./file-states.ts";
import { PendingFile } from "./pending-file.ts";
import type { ProjectChanges } from "./project-changes.ts";

/** All contents of one session together. Bytes. */
const MOST_DISK_BYTES = 256 * 1024 * 1024;
const MOST_MEMORY_BYTES = 64 * 1024 * 1024;
/** The folder in the session's own. */
export const CHECKPOINT_FOLDER = "checkpoints";
const PENDING_FILE = "pending.json";

export interface RecorderParts {
  session: Session;
  files: FileDoor;
  places: PlaceDoor;
  project: ProjectChanges | null;
  /** Hears, in whole sentences, of what cannot be kept. */
  onProblem(message: string): void;
}

interface OpenCall {
  /** The files that a tool said it will change. */
  paths: string[];
  /** Of a command, which may change any file. */
  snapshot?: Snapshot;
}

/**
 * Keeps what files were like before tools change them: contents first, then a record in the log, then the tool runs. A turn
 * begins with each message of the person; what a file was before its first change in a turn is kept once.
 */
export class CheckpointRecorder {
  readonly states: FileStates;
  readonly #parts: RecorderParts;
  readonly #watch: CommandWatch;
  readonly #pending: PendingFile;
  /** Files of this turn, as they were left. */
  #turn = new Map<string, FileState | undefined>();
  /** Files that the model has seen or changed, the latest last. */
  readonly #known = new Set<string>();
  readonly #open = new Map<string, OpenCall>();
  #settling: Promise<void> = Promise.resolve();
  #told = false;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    const { session } = parts;
    const folder = session.folder === null ? null : join(session.folder, CHECKPOINT_FOLDER);
    this.states = new FileStates(parts.places, blobsIn(folder));
    this.#watch = new CommandWatch(this.states, parts.project, (message) => parts.onProblem(message));
    this.#pending = new PendingFile(folder === null ? null : join(folder, PENDING_FILE));
    for (const message of session.messages())
      if (message.role === "assistant")
        for (const part of message.parts)
          if (part.type === "tool_call") this.noteSeen(pathIn(part.arguments));
    this.#recover();
  }

  /** A file that the model has read: commands are watched for changes of it. */
  noteSeen(path: string | undefined): void {
    const place = path === undefined ? null : this.#place(path);
    if (place === null) return;
    this.#known.delete(place);
    this.#known.add(place);
  }

  /** Before a call that may change files. Never rejects: a call is not refused for what cannot be kept. */
  async before(call: PendingCall): Promise<void> {
    try {
      await this.#settling;
      const path = call.kind === "edit" ? pathIn(call.input) : undefined;
      if (path === undefined) await this.#beforeCommand(call.id);
      else this.#beforeEdits(call.id, [path]);
    } catch (thrown) {
      this.#problem(thrown);
    }
  }

  /** Before something that is no call of a tool writes these files; {@link after} tells that it is over. Never rejects. */
  async beforeWriting(id: string, paths: readonly string[]): Promise<void> {
    try {
      await this.#settling;
      this.#beforeEdits(id, paths);
    } catch (thrown) {
      this.#problem(thrown);
    }
  }

  /** After a command has run; what it is not called for is done when the result is stored. Never rejects. */
  async after(callId: string): Promise<void> {
    this.#close(callId);
    await this.#settling;
  }

  /** A message goes into the conversation. */
  appending(message: Message): void {
    if (message.role === "user" && message.origin === "user") this.#turn = new Map();
  }

  /** A message went into the conversation: the calls that it has results of are over. */
  appended(message: Message): void {
    if (message.role === "tool") for (const { id } of message.parts) this.#close(id);
  }

  /** Resolves when all is written that is known. */
  idle(): Promise<void> {
    return this.#settling;
  }

  /** Forgets contents that were kept before commands which then left the files alone. Never rejects. */
  async close(): Promise<void> {
    await this.#settling;
    try {
      const { session } = this.#parts;
      const { fresh, blobs } = this.states;
      if (fresh.size === 0) return;
      const needed = keptIn(session.records([...session.tree.nodes.values()].filter(isNote)));
      for (const hash of fresh) if (!needed.has(hash)) blobs.remove(hash);
    } catch {
      // a log that cannot be read: everything stays
    }
  }

  #beforeEdits(id: string, given: readonly string[]): void {
    const paths = given.flatMap((each) => this.#place(each) ?? []);
    for (const path of paths) this.noteSeen(path);
    this.#open.set(id, { paths });
    const news = paths.filter((path) => !this.#turn.has(path));
    const changes = news.map((path) => ({ path, before: this.states.keep(path) }));
    for (const path of news) this.#turn.set(path, undefined);
    if (changes.length > 0) this.#write(changes);
  }

  async #beforeCommand(id: string): Promise<void> {
    const snapshot = await this.#watch.before(this.#known);
    this.#open.set(id, { paths: [], snapshot });
    this.#pending.write(snapshot.files);
  }

  #close(id: string): void {
    const call = this.#open.get(id);
    if (call === undefined) return;
    this.#open.delete(id);
    try {
      if (call.snapshot === undefined) {
        this.#left(call.paths.map((path) => ({ path, after: this.states.look(path) })));
        return;
      }
      const { snapshot } = call;
      this.#left(this.#watch.watchedChanges(snapshot));
      if (![...this.#open.values()].some((other) => other.snapshot)) this.#pending.remove();
      this.#settling = this.#watch
        .otherChanges(snapshot)
        .then((changes) => this.#left(changes))
        .catch((thrown: unknown) => this.#problem(thrown));
    } catch (thrown) {
      this.#problem(thrown);
    }
  }

  /** Writes what was changed; `before` only where this turn has none yet. */
  #left(changes: readonly FileChange[]): void {
    const news = changes.flatMap(({ path, before, after }): FileChange[] => {
      const known = this.#turn.has(path);
      const last = this.#turn.get(path);
      if (after === undefined || (last !== undefined && sameState(last, after))) return [];
      this.#turn.set(path, after);
      this.noteSeen(path);
      return [known || before === undefined ? { path, after } : { path, before, after }];
    });
    if (news.length > 0) this.#write(news);
  }

  /** What a command had changed when the process was killed. */
  #recover(): void {
    const left = this.#pending.left();
    if (left === null) return;
    const changes = [...left].flatMap(([path, before]) =>
      sameState(before, this.states.look(path)) || before.kind === "unkept" ? [] : [{ path, before }],
    );
    if (changes.length > 0) this.#write(changes);
    this.#pending.remove();
  }

  #write(files: FileChange[]): void {
    this.#parts.session.note({ type: "checkpoint", files });
  }

  /** The path of the thing that a tool given `path` would change, relative to the project; null when it lies outside. */
  #place(path: string): string | null {
    const { files } = this.#parts;
    const shown = files.display(files.key(path));
    const outside = shown === "." || shown.startsWith("/") || /^[A-Za-z]:/.test(shown);
    return outside || /(^|\/)[.]git(\/|$)/.test(shown) ? null : shown;
  }

  #problem(thrown: unknown): void {
    if (this.#told) return;
    this.#told = true;
    this.#parts.onProblem(
      `what files were like could not be kept, so that /rewind may not bring them back: ${errorMessage(thrown)}`,
    );
  }
}

function isNote({ type }: TreeNode): boolean {
  return type === "checkpoint" || type === "rewind";
}

/** The contents that records speak of. */
function keptIn(records: readonly (SessionRecord | null)[]): Set<string> {
  const hashes = new Set<string>();
  for (const record of records) {
    const changes = changesOf(record);
    if (record?.type === "rewind") changes.push(...readChanges(record.replaced));
    for (const { before, after } of changes)
      for (const state of [before, after]) if (state?.kind === "file") hashes.add(state.hash);
  }
  return hashes;
}

/** The contents that a session keeps, in its folder or (null) in memory. */
function blobsIn(folder: string | null): BlobStore {
  return folder === null ? memoryBlobs(MOST_MEMORY_BYTES) : diskBlobs(folder, MOST_DISK_BYTES);
}

function pathIn(input: JsonObject): string | undefined {
  const path = input["file_path"] ?? input["path"];
  return typeof path === "string" && path !== "" ? path : undefined;
}
