import type { FileChange, FileState } from "../../contract/checkpoint.ts";
import { hashOf } from "./blob-store.ts";
import { type FileStates, sameState } from "./file-states.ts";
import type { CommittedFile, ProjectChanges, ProjectLook } from "./project-changes.ts";

/** Before a command larger files are not copied: it will rarely touch them. Bytes. */
const MOST_WATCHED_BYTES = 1024 * 1024;
/** Files that are looked at around one command. */
const MOST_WATCHED = 1_000;
/** What is read before one command at most; files that come later in the list are not watched by it. Bytes. */
const MOST_READ = 32 * 1024 * 1024;
/** Files that one command changed; of more none is kept but those that were watched. */
const MOST_NEW = 1_000;

/** What files were like before a command. */
export interface Snapshot {
  files: Map<string, FileState>;
  project: ProjectLook | null;
}

/** Looks at files around a command that may change any of them. */
export class CommandWatch {
  readonly #states: FileStates;
  readonly #project: ProjectChanges | null;
  readonly #onProblem: (message: string) => void;

  constructor(states: FileStates, project: ProjectChanges | null, onProblem: (message: string) => void) {
    this.#states = states;
    this.#project = project;
    this.#onProblem = onProblem;
  }

  /** Keeps the files in `known` (the latest last) and those that differ from the last commit. */
  async before(known: ReadonlySet<string>): Promise<Snapshot> {
    const project = (await this.#project?.look()) ?? null;
    const paths = new Set([...known].slice(-MOST_WATCHED));
    for (const path of project?.paths ?? []) if (paths.size < MOST_WATCHED) paths.add(path);
    const files = new Map<string, FileState>();
    const start = this.#states.bytesRead;
    for (const path of paths) {
      if (this.#states.bytesRead - start > MOST_READ) break;
      if (canWatch(path)) files.set(path, this.#states.keep(path, MOST_WATCHED_BYTES));
    }
    return { files, project };
  }

  /** What changed since the snapshot, as far as it was watched. */
  watchedChanges({ files }: Snapshot): FileChange[] {
    return [...files].flatMap(([path, before]) => {
      // What was too large before is compared by its size only.
      const after = this.#states.look(path, before.kind === "unkept" ? MOST_WATCHED_BYTES : undefined);
      return changed(before, after) ? [{ path, before, after }] : [];
    });
  }

  /** What changed of the files that nobody watched: those of the commit, and new ones. */
  async otherChanges({ files, project }: Snapshot): Promise<FileChange[]> {
    if (project === null || this.#project === null) return [];
    const now = await this.#project.look();
    if (now === null) return [];
    const moved = now.commit === project.commit ? [] : await this.#project.movedBetween(project, now);
    const old = new Set(project.paths);
    const found = [...new Set([...now.paths, ...moved])].filter(
      (path) => !files.has(path) && !old.has(path) && canWatch(path),
    );
    if (found.length > MOST_NEW) {
      this.#onProblem(
        `a command changed ${found.length} files at once, more than the ${MOST_NEW} that a checkpoint takes: /rewind leaves them as they are`,
      );
      return [];
    }
    const committed = await this.#project.committed(project, found);
    // Without knowing what was there before, nothing may count as new.
    if (committed === null) return [];
    // Files that were ignored until now look as if they had just been made.
    const ignoresChanged = [...found, ...files.keys()].some((path) => /(^|\/)[.]gitignore$/.test(path));
    return found.flatMap((path) => {
      const after = this.#states.look(path);
      const was = committed.get(path);
      if (was === undefined && (ignoresChanged || after.kind === "missing")) return [];
      const before = was === undefined ? this.#missing(path) : this.#keepCommitted(was, after);
      return changed(before, after) ? [{ path, before, after }] : [];
    });
  }

  #keepCommitted(was: CommittedFile, after: FileState): FileState {
    if (was.kind !== "file") return was;
    const hash = hashOf(was.bytes);
    try {
      if (!this.#states.put(hash, was.bytes))
        return { kind: "unkept", why: "the checkpoints of this session are full" };
    } catch {
      return { kind: "unkept", why: "the disk refused to keep it" };
    }
    // A commit knows of a mode only whether it is a program.
    const base = after.kind === "file" ? after.mode & 0o666 : 0o666 & ~process.umask();
    const mode = was.executable ? base | ((base & 0o444) >> 2) : base;
    return { kind: "file", hash, size: was.bytes.length, mode };
  }

  /** A command may have made folders with the file; those that hold nothing else then go with it. */
  #missing(path: string): FileState {
    const folders = path.split("/").length - 1;
    return folders > 0 ? { kind: "missing", folders } : { kind: "missing" };
  }
}

/** Two states of what was never kept count as equal while they say the same: nothing could be done about it. */
function changed(before: FileState, after: FileState): boolean {
  if (before.kind === "unkept" && after.kind === "unkept") return before.why !== after.why;
  return !sameState(before, after);
}

/** The insides of git are its own, and the agent's folder holds no work of a project. */
function canWatch(path: string): boolean {
  return !/(^|\/)([.]git|[.]pi-go)(\/|$)/.test(path) && path !== "";
}
