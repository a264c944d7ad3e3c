import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "../contract/errors.ts";
import type { SessionMeta } from "../contract/session.ts";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { acquireLock, type Lock } from "../platform/lock.ts";
import { ensurePrivateFolder } from "../platform/private-folder.ts";
import { LogWriter } from "./log-writer.ts";
import type { SessionSink } from "./session.ts";
import { EVENTS_FILE, writeMeta } from "./session-meta.ts";
import type { SessionTree } from "./session-tree.ts";

export const LOCK_FILE = "lock";
const BRANCHES_FILE = "branches.json";

/** The session's files on disk. The log is the truth; `meta.json` and `branches.json` follow once per turn and at the end. */
export function sessionSink(options: {
  folder: string;
  meta: SessionMeta;
  tree: SessionTree;
  /** Held already when the session exists; a new one takes its lock with its first record. */
  lock: Lock | null;
  endsWithLine: boolean;
  onNotice(message: string): void;
}): SessionSink {
  const { folder, tree, onNotice } = options;
  let { lock } = options;
  let folderIsNew = false;
  let warned = false;
  /** What is on disk already may not match the log; a new session has nothing to say yet. */
  let stale = options.lock !== null;
  /** A person may give a title between records. */
  let writtenTitle: string | undefined;

  const log = new LogWriter({
    path: join(folder, EVENTS_FILE),
    endsWithLine: options.endsWithLine,
    onNotice,
    prepare() {
      if (lock) return;
      ensurePrivateFolder(dirname(folder));
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      lock = acquireLock(join(folder, LOCK_FILE));
      folderIsNew = true;
      writeMeta(folder, options.meta);
    },
    again() {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      lock?.release();
      lock = acquireLock(join(folder, LOCK_FILE));
      folderIsNew = true;
      stale = true;
    },
  });

  const writeCaches = (meta: SessionMeta): void => {
    // No lock: nothing was ever appended, or the disk refuses.
    if (!lock || (!stale && meta.title === writtenTitle)) return;
    stale = false;
    writtenTitle = meta.title;
    try {
      writeMeta(folder, meta);
      writeFileAtomic(join(folder, BRANCHES_FILE), branchesText(tree), { mode: 0o600, durable: false });
    } catch (thrown) {
      if (!warned) onNotice(`the session's list entry is out of date: ${errorMessage(thrown)}`);
      warned = true;
    }
  };

  return {
    get degraded() {
      return log.degraded;
    },
    append(line) {
      stale = true;
      return log.append(line);
    },
    sync(meta) {
      log.sync();
      if (folderIsNew && !log.degraded) {
        folderIsNew = false;
        syncFolder(folder);
        syncFolder(dirname(folder));
      }
      writeCaches(meta);
    },
    close(meta) {
      log.close();
      writeCaches(meta);
      lock?.release();
      lock = null;
    },
  };
}

/** Text of `branches.json`, a cache for programs that do not want to replay the log. */
export function branchesText(tree: SessionTree): string {
  const branches = Object.fromEntries(
    [...tree.branches].map(([name, node]) => [name, { head: node?.id ?? null }]),
  );
  return `${JSON.stringify({ active: tree.active, branches }, null, 2)}\n`;
}

/** Makes a new file's name survive a power cut. */
function syncFolder(path: string): void {
  try {
    const fd = openSync(path, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Windows and some file systems cannot; their own journal keeps the name
  }
}
