import { readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { CapturedEntry } from "../../core/capture/captured-entry.ts";
import type { SessionSummary } from "../../core/ports/memory-store.ts";
import type { FolderIdentity } from "../folder-identity.ts";
import { outboxName, parseOutboxName, readOutbox } from "./outbox-file.ts";
import { isAlive, ownProcess } from "./owner.ts";

export interface AdoptOptions {
  readonly folder: string;
  readonly newToken: () => string;
  readonly now: number;
  /** Stores entries of a project; rejects when the store cannot take them now. Entries that are known are joined. */
  readonly store: (entries: readonly CapturedEntry[], identity: FolderIdentity) => Promise<void>;
  /** Stores the summary of a session that is over, once; its project is the one of `identity`. */
  readonly summarize: (summary: SessionSummary, identity: FolderIdentity) => Promise<void>;
  readonly signal: AbortSignal;
}

export interface Adopted {
  readonly files: number;
  readonly entries: number;
}

/** A file of another machine is taken when nobody wrote to it for so long. */
const ELSEWHERE_MS = 24 * 3_600_000;
const AT_ONCE = 50;
const MOST_FILES = 100;
/** A bigger file is none of ours. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Takes over what processes that are gone have left. A file is claimed by renaming it to a name of this process, which only one can;
 * if this process dies over it, the next one finds it, and what was stored already is known to the store. Rejects with what
 * `store` rejects with; the file in hand then stays.
 */
export async function adoptOutboxes(options: AdoptOptions): Promise<Adopted> {
  let files = 0;
  let entries = 0;
  for (const name of await orphans(options)) {
    if (options.signal.aborted) break;
    const path = await claim(options, name);
    if (path === undefined) continue;
    try {
      entries += await takeUp(options, path);
      files++;
    } catch (error) {
      // Not stored now: let go of it, for this process may run for days.
      await rename(path, path.replace(/\.jsonl$/u, ".left.jsonl")).catch(() => undefined);
      throw error;
    }
  }
  return { files, entries };
}

async function orphans({ folder, now }: AdoptOptions): Promise<string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const found: string[] = [];
  for (const name of names.sort()) {
    const owner = parseOutboxName(name);
    if (owner === undefined) continue;
    const alive = owner.left ? false : isAlive(owner);
    if (alive === false || (alive === undefined && (await isOld(join(folder, name), now)))) found.push(name);
    if (found.length === MOST_FILES) break;
  }
  return found;
}

async function isOld(path: string, now: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && now - found.mtimeMs > ELSEWHERE_MS;
}

/** The path of the file under this process's name; undefined when another process was faster. */
async function claim({ folder, newToken }: AdoptOptions, name: string): Promise<string | undefined> {
  const path = join(folder, outboxName(ownProcess(), newToken(), false));
  try {
    await rename(join(folder, name), path);
    return path;
  } catch {
    return undefined;
  }
}

async function takeUp({ store, summarize, signal }: AdoptOptions, path: string): Promise<number> {
  const size = (await stat(path)).size;
  const outbox = size > MOST_BYTES ? undefined : readOutbox(await readFile(path, "utf8"));
  if (outbox === undefined && size > 0) {
    // Nobody can tell which project it belongs to; it is kept for a person to look at.
    await rename(path, `${path}.unreadable`);
    return 0;
  }
  const entries = outbox?.entries ?? [];
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    signal.throwIfAborted();
    await store(entries.slice(start, start + AT_ONCE), outbox!.header.identity);
  }
  for (const summary of outbox?.summaries ?? []) await summarize(summary, outbox!.header.identity);
  await unlink(path);
  return entries.length;
}
