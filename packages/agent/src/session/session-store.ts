import { copyFileSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { PiError, systemCode } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Message } from "../contract/messages.ts";
import type { SessionMeta } from "../contract/session.ts";
import type { SessionTranscript } from "../contract/transcript.ts";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { fileFailure } from "../platform/file-failure.ts";
import { gitTop } from "../platform/git-top.ts";
import { holderName, type Lock, type LockHolder, tryLock } from "../platform/lock.ts";
import { ensurePrivateFolder } from "../platform/private-folder.ts";
import { realFolder } from "../platform/real-folder.ts";
import type { ImportedSession } from "./import/imported-log.ts";
import type { ListedSession } from "./listed-session.ts";
import { logReader } from "./record-reader.ts";
import { type Session, sessionOf } from "./session.ts";
import { isSessionName, newSessionId } from "./session-id.ts";
import { SessionList, sessionIn } from "./session-list.ts";
import { loadLog } from "./session-loader.ts";
import { EVENTS_FILE, type NewSession, newMeta, readMeta, settingsOf, writeMeta } from "./session-meta.ts";
import { removeSession } from "./session-removal.ts";
import { LOCK_FILE, sessionSink } from "./session-sink.ts";
import { transcriptOf } from "./session-transcript.ts";
import { SessionTree } from "./session-tree.ts";

/** Modes whose sessions `--continue` takes up: what a person began in this project. */
const CONTINUABLE: readonly string[] = ["interactive", "print", "json"];
const MOST_CANDIDATES = 5;
/** From here on a list without its cache takes time that one notices. */
const MANY = 200;
const LIST_FILE = "sessions.list";

/** A session as it is on disk right now, also while another process writes it. */
export interface SessionSnapshot {
  meta: SessionMeta;
  settings: JsonObject;
  branch: string;
  branches: string[];
  messages: Message[];
}

export interface SessionStoreOptions {
  /** The folder of all sessions (`~/.pi-go/sessions`); made when the first one is saved. */
  root: string;
  /** The folder of caches (`~/.pi-go/cache`); absent: lists read every session. */
  cache?: string;
  now(): number;
  /** Hears, in whole sentences, of damage that was found and of a disk that refuses. */
  onNotice(message: string): void;
}

/** All sessions of a user: one folder each. */
export class SessionStore {
  readonly #options: SessionStoreOptions;

  constructor(options: SessionStoreOptions) {
    this.#options = options;
  }

  /** A new session. Nothing is on disk until its first record; it never fails, it degrades. */
  create(options: NewSession): Session {
    const { now, onNotice } = this.#options;
    const meta = newMeta(options, now());
    const folder = this.folderOf(meta.id);
    const tree = new SessionTree();
    const sink = sessionSink({ folder, meta, tree, lock: null, endsWithLine: true, onNotice });
    const report = (problem: string) => onNotice(`session ${meta.id}: ${problem}`);
    const reader = logReader(join(folder, EVENTS_FILE), tree, report);
    return sessionOf({ meta, folder, tree, sink, reader, now, initial: settingsOf(meta) });
  }

  /**
   * Opens a session by its id or by the unique start of one, to go on with it. Throws a PiError: `session_not_found` or
   * `session_ambiguous` (exit code 2, with candidates), `session_locked` (another process has it), or a FileErrorCode.
   */
  open(idOrPrefix: string): Session {
    const { now, onNotice } = this.#options;
    const meta = this.#own(idOrPrefix);
    const folder = this.folderOf(meta.id);
    const lock = this.#lock(folder, meta.id);
    try {
      const { tree, endsWithLine, reader } = this.#load(meta, false);
      const sink = sessionSink({ folder, meta, tree, lock, endsWithLine, onNotice });
      return sessionOf({ meta, folder, tree, sink, reader, now });
    } catch (thrown) {
      lock?.release();
      throw thrown;
    }
  }

  /** Reads a session without taking it. Throws as {@link open}, but for `session_locked`. */
  read(idOrPrefix: string): SessionSnapshot {
    const meta = this.#own(idOrPrefix);
    const { tree, reader } = this.#load(meta, true);
    const messages = reader.load().entries.map((entry) => entry.message);
    return {
      meta,
      settings: tree.settings,
      branch: tree.active,
      branches: [...tree.branches.keys()],
      messages,
    };
  }

  /** A new session that begins with everything another one holds by now, also while that one is in use. */
  fork(idOrPrefix: string, mode: string): Session {
    const source = this.#own(idOrPrefix);
    const meta = { ...source, ...newMeta({ ...source, mode }, this.#options.now()) };
    const folder = this.folderOf(meta.id);
    try {
      mkdirSync(folder, { mode: 0o700 });
      copyFileSync(join(this.folderOf(source.id), EVENTS_FILE), join(folder, EVENTS_FILE));
    } catch (thrown) {
      throw fileFailure("fork into", folder, thrown);
    }
    writeMeta(folder, meta);
    return this.open(meta.id);
  }

  /**
   * The session of this project (by real path) and of these modes that was written to last, or null. In a folder of a git work
   * tree without a session of its own: that of the nearest folder above, up to the top of the tree.
   */
  newest(options: { cwd: string; modes?: readonly string[] }): SessionMeta | null {
    const { modes = CONTINUABLE } = options;
    const folders = foldersUpToTop(realFolder(options.cwd));
    let nearest = folders.length;
    let found: SessionMeta | null = null;
    const ids = this.#ids();
    const known = ids.length > MANY ? this.#cached().folders() : new Map<string, string>();
    // What is known to be elsewhere is not even looked at: years of work leave many thousands.
    const written = ids
      .filter((id) => folders.includes(known.get(id) ?? folders[0]!))
      .map((id) => ({ id, time: this.#lastWrite(id) }))
      .filter(({ time }) => time > 0)
      .sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1));
    for (const { id } of written) {
      const meta = readMeta(this.folderOf(id), id);
      if (!meta || !modes.includes(meta.mode)) continue;
      const place = folders.indexOf(meta.cwd);
      if (place === 0) return meta;
      if (place < 0 || place >= nearest) continue;
      nearest = place;
      found = meta;
    }
    return found;
  }

  /**
   * All sessions, or those of one project; the latest first. Those of pi-go that were not imported yet are among them. What cannot be
   * read is left out.
   */
  list(options: { cwd?: string } = {}): ListedSession[] {
    const cwd = options.cwd === undefined ? undefined : realFolder(options.cwd);
    const all = this.#cached().read(this.#ids());
    const imported = new Set<string>();
    for (const session of all) if (session.imported !== undefined) imported.add(session.imported);
    return all
      .filter((session) => cwd === undefined || session.cwd === cwd)
      .filter(({ foreign, id }) => foreign === undefined || !imported.has(`${foreign}:${id}`))
      .sort((a, b) => compare(b.updated, a.updated) || compare(b.id, a.id));
  }

  /** Everything that was said in a session, also while it is in use. Throws as {@link open}, but for `session_locked`. */
  transcript(idOrPrefix: string): SessionTranscript {
    const meta = this.#own(idOrPrefix);
    const { tree, reader } = this.#load(meta, true);
    try {
      return transcriptOf(meta, tree, reader);
    } finally {
      reader.close();
    }
  }

  /** Keeps another program's session as one of ours, with an id of its own. Throws a PiError with a FileErrorCode. */
  adopt(imported: ImportedSession): SessionMeta {
    const { root, now } = this.#options;
    const { from, cwd, model, provider, created, updated, title, log } = imported;
    const meta: SessionMeta = {
      ...newMeta({ cwd, mode: "interactive", model, provider }, created || now()),
      id: newSessionId(now()),
      cwd,
      updated: new Date(updated || now()).toISOString(),
      imported: from,
      ...(title === undefined ? {} : { title }),
    };
    const folder = this.folderOf(meta.id);
    ensurePrivateFolder(root);
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (thrown) {
      throw fileFailure("make the folder", folder, thrown);
    }
    writeFileAtomic(join(folder, EVENTS_FILE), log.text(), { mode: 0o600 });
    writeMeta(folder, meta);
    return meta;
  }

  /**
   * Deletes a session for good; `idOrPrefix` as for {@link open}. Throws as {@link open}, also for one that is in use, and
   * `session_linked` where the folder is a link.
   */
  remove(idOrPrefix: string): ListedSession {
    const meta = this.find(idOrPrefix);
    const holder = removeSession(this.#options.root, meta.id);
    if (holder !== null) throw this.#inUse(meta.id, holder);
    return meta;
  }

  /** A session's folder; nothing is made. */
  folderOf(id: string): string {
    return join(this.#options.root, id);
  }

  #cached(): SessionList {
    const { root, cache } = this.#options;
    return new SessionList(root, cache === undefined ? null : join(cache, LIST_FILE));
  }

  #load(meta: SessionMeta, live: boolean) {
    const report = (problem: string) => this.#options.onNotice(`session ${meta.id}: ${problem}`);
    const log = loadLog(this.folderOf(meta.id), live, report);
    if (log.problems.length > 0) report(`${log.problems.join("; ")}. The rest was kept`);
    return log;
  }

  #ids(): string[] {
    const { root } = this.#options;
    try {
      return readdirSync(root).filter(isSessionName);
    } catch (thrown) {
      if (systemCode(thrown) === "ENOENT") return [];
      throw fileFailure("list", root, thrown);
    }
  }

  #lastWrite(id: string): number {
    try {
      const stat = statSync(join(this.folderOf(id), EVENTS_FILE), { throwIfNoEntry: false });
      return stat?.isFile() ? stat.mtimeMs : 0;
    } catch {
      // not a folder, or not ours to enter
      return 0;
    }
  }

  /** One of ours. */
  #own(idOrPrefix: string): SessionMeta {
    const found = this.find(idOrPrefix);
    if (found.foreign === undefined) return found;
    throw new PiError({
      code: "session_foreign",
      message: `session ${found.id} belongs to ${found.foreign}`,
      hint: `Import it: pi sessions import ${this.folderOf(found.id)}`,
      exitCode: 2,
    });
  }

  /** The session that an id or the unique start of one names, also one of pi-go's; nothing is opened. Throws as {@link open}. */
  find(idOrPrefix: string): ListedSession {
    const ids = this.#ids();
    const given = idOrPrefix.trim();
    const word = given.toLowerCase();
    const matching = ids.includes(given)
      ? [given]
      : word === ""
        ? []
        : ids.filter((id) => id.startsWith(word));
    const metas = matching
      .map((id) => sessionIn(this.folderOf(id), id))
      .filter((session): session is ListedSession => session !== null);
    if (metas.length === 1) return metas[0]!;
    throw metas.length > 1 ? this.#ambiguous(idOrPrefix, metas) : this.#notFound(idOrPrefix);
  }

  #ambiguous(word: string, metas: SessionMeta[]): PiError {
    const latest = metas.sort((a, b) => compare(b.updated, a.updated));
    return new PiError({
      code: "session_ambiguous",
      message: `"${word}" begins the ids of ${metas.length} sessions: ${candidates(latest)}`,
      hint: "Give more of the id.",
      exitCode: 2,
    });
  }

  #notFound(word: string): PiError {
    const known = this.list();
    return new PiError({
      code: "session_not_found",
      message: `there is no session "${word}" in ${this.#options.root}`,
      hint:
        known.length === 0 ? "No session has been saved yet." : `The latest ones are ${candidates(known)}`,
      exitCode: 2,
    });
  }

  /** Null when the disk refuses a lock: the session then goes on in memory, with a notice at its first record. */
  #lock(folder: string, id: string): Lock | null {
    let attempt: ReturnType<typeof tryLock>;
    try {
      attempt = tryLock(join(folder, LOCK_FILE));
    } catch {
      // the writer tries again and says what is wrong
      return null;
    }
    if ("lock" in attempt) return attempt.lock;
    throw this.#inUse(id, attempt.heldBy);
  }

  #inUse(id: string, holder: LockHolder): PiError {
    const { pid, elsewhere } = holder;
    return new PiError({
      code: "session_locked",
      message: `session ${id} is in use by ${holderName(holder)}`,
      hint: elsewhere
        ? `Wait until it ends there. If it has ended, delete ${join(this.folderOf(id), LOCK_FILE)}.`
        : pid === null
          ? "Try again in some seconds."
          : `Wait until process ${pid} ends (or end it), or begin a session of its own without --continue or --session.`,
    });
  }
}

/** The folder and those above it, up to the top of its git work tree; outside of one only itself. */
function foldersUpToTop(cwd: string): string[] {
  const top = gitTop(cwd) ?? cwd;
  const folders = [cwd];
  for (let folder = cwd; folder !== top && folder !== dirname(folder); ) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}

function candidates(metas: readonly SessionMeta[]): string {
  const named = metas
    .slice(0, MOST_CANDIDATES)
    .map(({ id, title }) => (title ? `${id} (${title.slice(0, 60).toWellFormed()})` : id));
  return named.join(", ") + (metas.length > MOST_CANDIDATES ? ", …" : "");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
