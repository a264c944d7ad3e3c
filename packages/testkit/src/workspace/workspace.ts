import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { killMarked, MARKER } from "../process/marker.ts";
import { explainSuppressedErrors } from "../suppressed.ts";
import { type Entry, snapshotTree, writeTree } from "./tree.ts";

export interface WorkspaceOptions {
  /** Makes it a git repository with one commit of all entries. */
  git?: boolean;
}

const IDENTITY = {
  GIT_CONFIG_GLOBAL: process.platform === "win32" ? "NUL" : "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Test Author",
  GIT_AUTHOR_EMAIL: "author@example.com",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "Test Author",
  GIT_COMMITTER_EMAIL: "author@example.com",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
  GIT_TERMINAL_PROMPT: "0",
};

const MOST_ATTEMPTS = 100;
const PAUSE_MS = 20;

/** Variables of the machine that a process needs to run at all; nothing else of the test run's environment is passed on. */
const KEPT = ["PATH", "SystemRoot", "SYSTEMROOT", "COMSPEC", "PATHEXT", "WINDIR"];

/** A real temp folder with a home of its own beside it. Made by `workspace`; disposal removes all. */
export class Workspace implements AsyncDisposable {
  /** The project folder (real path). */
  readonly path: string;
  /** A fresh, empty home, outside of the project. */
  readonly home: string;
  /** A folder beside the project that nothing in it may reach. */
  readonly outside: string;
  /** A temp folder for its processes (TMPDIR). */
  readonly temp: string;
  /** The value by which its processes are found again. */
  readonly marker: string;
  readonly #base: string;

  constructor(entries: Readonly<Record<string, Entry>>, options: WorkspaceOptions) {
    this.#base = realpathSync(mkdtempSync(join(tmpdir(), "testkit-")));
    this.marker = this.#base;
    this.path = join(this.#base, "project");
    this.home = join(this.#base, "home");
    this.outside = join(this.#base, "outside");
    this.temp = join(this.#base, "tmp");
    for (const folder of [this.path, this.home, this.outside, this.temp]) mkdirSync(folder);
    writeTree(this.path, entries);
    if (options.git) {
      this.git("init", "--quiet", "--initial-branch=main");
      this.git("add", "--all");
      this.git("commit", "--quiet", "--allow-empty", "--message", "first commit");
    }
  }

  /**
   * An environment for processes of this workspace: PATH of the machine, this home, a fixed git identity, nothing else
   * (no API keys, no proxies, no terminal settings). `extra` is added; undefined removes.
   */
  env(extra: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
    const made: Record<string, string> = {};
    for (const name of KEPT) {
      const value = process.env[name];
      if (value !== undefined) made[name] = value;
    }
    Object.assign(made, IDENTITY, {
      HOME: this.home,
      USERPROFILE: this.home,
      XDG_CONFIG_HOME: join(this.home, ".config"),
      XDG_DATA_HOME: join(this.home, ".local", "share"),
      XDG_CACHE_HOME: join(this.home, ".cache"),
      TMPDIR: this.temp,
      TMP: this.temp,
      TEMP: this.temp,
      LANG: "C.UTF-8",
      TZ: "UTC",
      [MARKER]: this.marker,
    });
    for (const [name, value] of Object.entries(extra))
      if (value === undefined) delete made[name];
      else made[name] = value;
    return made;
  }

  /** The absolute path of a path in the project; an absolute one stays. */
  at(path: string): string {
    return isAbsolute(path) ? path : join(this.path, path);
  }

  write(path: string, content: Entry): void {
    if (isAbsolute(path)) writeTree("/", { [path]: content });
    else writeTree(this.path, { [path]: content });
  }

  /** The file as UTF-8 text. */
  read(path: string): string {
    return readFileSync(this.at(path), "utf8");
  }

  bytes(path: string): Uint8Array {
    return new Uint8Array(readFileSync(this.at(path)));
  }

  /** Whether the path exists; a broken link does. */
  exists(path: string): boolean {
    try {
      lstatSync(this.at(path));
      return true;
    } catch {
      // not there
      return false;
    }
  }

  /** Runs git in the project and gives its stdout; throws with its stderr when it fails. */
  git(...words: string[]): string {
    return execFileSync("git", words, {
      cwd: this.path,
      env: this.env(),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** Bytes, modes and links of the project without `.git`, comparable with `toEqual`. */
  snapshot(): Record<string, string> {
    return snapshotTree(this.path);
  }

  /** The same for the folder outside and the home. */
  snapshotOf(folder: "home" | "outside" | "temp"): Record<string, string> {
    return snapshotTree(this[folder]);
  }

  /** Kills what still runs, removes all folders, and throws when something was still running. */
  async [Symbol.asyncDispose](): Promise<void> {
    const running = await killMarked(this.marker);
    await removeTree(this.#base);
    if (running.length > 0)
      throw new Error(
        `workspace: processes were left running (and have been killed):\n- ${running.join("\n- ")}`,
      );
  }
}

/** Makes a project folder with these entries, a home, and a folder outside. Dispose of it with `await using`. */
export async function workspace(
  entries: Readonly<Record<string, Entry>> = {},
  options: WorkspaceOptions = {},
): Promise<Workspace> {
  explainSuppressedErrors();
  return new Workspace(entries, options);
}

/**
 * Bun's `rmSync` with `force` takes a file that vanishes under its hands (something else of the test is cleaning up, too) for
 * the end of its work and leaves the rest without a word: whether the folder is gone has to be looked at.
 */
async function removeTree(path: string): Promise<void> {
  let cause: unknown;
  for (let attempt = 1; existsSync(path) && attempt <= MOST_ATTEMPTS; attempt++) {
    // What was killed may still be on its way out, with its mounts.
    if (attempt > 1) await Bun.sleep(PAUSE_MS);
    try {
      rmSync(path, { recursive: true, force: true });
    } catch (thrown) {
      // a test took the right to write from a folder, or a file appeared meanwhile
      cause = thrown;
      unlock(path);
    }
  }
  if (existsSync(path)) throw new Error(`workspace: ${path} cannot be removed`, { cause });
}

function unlock(folder: string): void {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  try {
    chmodSync(folder, 0o700);
    for (const name of readdirSync(folder)) unlock(join(folder, name));
  } catch {
    // it vanished meanwhile: nothing to unlock
  }
}
