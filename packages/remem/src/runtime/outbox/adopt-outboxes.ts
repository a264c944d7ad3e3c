import { readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { CapturedEntry } from "../../core/capture/captured-entry.ts";
import type { SessionSummary } from "../../core/ports/memory-store.ts";
import type { FolderIdentity } from "../folder-identity.ts";
import { type OutboxContent, outboxName, parseOutboxName, readOutbox } from "./outbox-file.ts";
import { isAlive, ownProcess } from "./owner.ts";

export interface AdoptOptions {
  readonly folder: string;
  readonly newToken: () => string;
  readonly now: number;
  /** Stores entries of a project; rejects when the store cannot take them now. Entries that are known are joined. */
  readonly store: (entries: readonly CapturedEntry[], identity: FolderIdentity) => Promise<void>;
  /** Stores the summary of a session that is over, once; its project is the one of `identity`. */
  readonly summarize: (summary: SessionSummary, identity: FolderIdentity) => Promise<void>;
  /** Called once, when what the next prompt may need is stored: what people said, summaries of sessions, and the last things that agents did. */
  readonly onFirst?: () => void;
  /** Lets other work go first, between pieces of what follows behind. */
  readonly pause?: () => Promise<void>;
  readonly signal: AbortSignal;
}

export interface Adopted {
  readonly files: number;
  readonly entries: number;
}

/** A file of another machine is taken when nobody wrote to it for so long. */
const ELSEWHERE_MS = 24 * 3_600_000;
const AT_ONCE = 50;
/** Of what agents did and answered, so much is stored first: all of a short run, and no more than some milliseconds of a long one. */
const FIRST_DEEDS = 8;
/** Behind the work: some milliseconds a piece. */
const AT_ONCE_BEHIND = 5;
const MOST_FILES = 100;
/** A bigger file is none of ours. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Takes over what processes that are gone have left: of all files what people said and the last things that agents did, for the next
 * prompt may be about them, then the rest. A file is claimed by renaming it to a name of this process, which only one can; if this
 * process dies over it, the next one finds it, and what was stored already is known to the store. Rejects with what `store` rejects
 * with; the files in hand then stay.
 */
export async function adoptOutboxes(options: AdoptOptions): Promise<Adopted> {
  const { onFirst, pause, signal } = options;
  const claimed: Claimed[] = [];
  let files = 0;
  let entries = 0;
  let room = FIRST_DEEDS;
  try {
    for (const name of await orphans(options)) {
      if (signal.aborted) break;
      const path = await claim(options, name);
      if (path === undefined) continue;
      const file = { path, behind: 0 };
      claimed.push(file);
      const taken = await takeUpFirst(options, file, room);
      entries += taken.entries;
      room -= taken.deeds;
      if (!taken.isAll) continue;
      await unlink(path);
      claimed.pop();
      files++;
    }
    onFirst?.();
    for (let file = claimed[0]; file !== undefined; file = claimed[0]) {
      await pause?.();
      if (signal.aborted) break;
      entries += await takeUpRest(options, file);
      claimed.shift();
      files++;
    }
  } catch (error) {
    // Not stored now: let go of them, for this process may run for days.
    for (const { path } of claimed)
      await rename(path, path.replace(/\.jsonl$/u, ".left.jsonl")).catch(() => undefined);
    throw error;
  }
  return { files, entries };
}

/** A file of this process now. `behind`: how many deeds, the first of it, are still to be stored. */
interface Claimed {
  readonly path: string;
  behind: number;
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

async function takeUpFirst(
  { store, summarize, signal }: AdoptOptions,
  file: Claimed,
  room: number,
): Promise<{ entries: number; deeds: number; isAll: boolean }> {
  const outbox = await read(file.path);
  if (outbox === undefined) return { entries: 0, deeds: 0, isAll: false };
  const deeds = outbox.entries.filter((entry) => !isSaid(entry));
  file.behind = Math.max(0, deeds.length - room);
  const first = [...outbox.entries.filter(isSaid), ...deeds.slice(file.behind)];
  for (let start = 0; start < first.length; start += AT_ONCE) {
    signal.throwIfAborted();
    await store(first.slice(start, start + AT_ONCE), outbox.header.identity);
  }
  for (const summary of outbox.summaries) await summarize(summary, outbox.header.identity);
  return { entries: first.length, deeds: deeds.length - file.behind, isAll: file.behind === 0 };
}

async function takeUpRest(
  { store, pause, signal }: AdoptOptions,
  { path, behind }: Claimed,
): Promise<number> {
  const outbox = await read(path);
  if (outbox === undefined && (await stat(path)).size > 0) {
    // Nobody can tell which project it belongs to; it is kept for a person to look at.
    await rename(path, `${path}.unreadable`);
    return 0;
  }
  const rest = outbox?.entries.filter((entry) => !isSaid(entry)).slice(0, behind) ?? [];
  for (let start = 0; start < rest.length; start += AT_ONCE_BEHIND) {
    signal.throwIfAborted();
    await store(rest.slice(start, start + AT_ONCE_BEHIND), outbox!.header.identity);
    await pause?.();
  }
  await unlink(path);
  return rest.length;
}

function isSaid({ weight }: CapturedEntry): boolean {
  return weight === "typed";
}

/** Undefined: it is none of ours, or its header cannot be read. */
async function read(path: string): Promise<OutboxContent | undefined> {
  if ((await stat(path)).size > MOST_BYTES) return undefined;
  return readOutbox(await readFile(path, "utf8"));
}
