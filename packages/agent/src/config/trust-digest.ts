import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { errorMessage, PiError } from "../contract/errors.ts";
import type { Json } from "../contract/json.ts";
import { readSmallFile } from "../platform/read-small-file.ts";
import { type Project, projectAgentFolders, projectSkillFolders } from "./project.ts";
import { parseJsonText } from "./read-json-file.ts";

/** What lies in `.pi-go` and never acts: what we write there ourselves, and text that is only read. */
const INERT = new Set([
  "AGENTS.md",
  "CLAUDE.md",
  "README.md",
  ".gitignore",
  "worktrees",
  "tasks",
  "sessions",
  "log",
  "cache",
  "tmp",
]);
/** Files whose texts may name programs of the project. */
const NAMING = /(^|[/\\])(config|mcp|\.mcp)\.json$/;

const MOST_FILES = 20_000;
/** Reading them is part of every start. */
const MOST_BYTES = 256 * 1024 * 1024;
const MOST_WORDS = 2_000;

/** Everything of a project that would act, as one hash. */
export interface TrustDigest {
  sha256: string;
  /** The paths that act, relative to the project's root, in order: what a person consents to. */
  items: string[];
}

/**
 * The hash of the content of everything that acts in a project: what lies in `.pi-go`, its skills, and the project's own files that
 * its configuration names (a hook's script, a server's program). Null when nothing acts. Links are followed, special files are not
 * opened. Throws PiError `trust_too_large` for more than 20,000 files or 256 MB.
 */
export async function trustDigest(project: Project): Promise<TrustDigest | null> {
  const walk = new Walk(project.root);
  if (project.folder !== null)
    for (const name of listed(project.folder)) if (!INERT.has(name)) walk.add(join(project.folder, name));
  const texts = [...projectSkillFolders(project), ...projectAgentFolders(project)];
  for (const path of [join(project.root, ".mcp.json"), ...texts]) walk.add(path);
  if (walk.items.length === 0) return null;
  for (const file of walk.items.filter((item) => NAMING.test(item)))
    for (const named of await namedFiles(join(project.root, file), project)) walk.add(named);
  return walk.digest();
}

class Walk {
  readonly items: string[] = [];
  readonly #root: string;
  readonly #entries = new Map<string, string>();
  readonly #folders = new Set<string>();
  #bytes = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** Adds a file, or a folder with all that is in it. A path that is not there adds nothing. */
  add(path: string): void {
    const stat = statOf(path);
    const name = relative(this.#root, path).split(sep).join("/");
    const link = linkTarget(path);
    if (this.#entries.has(name) || (!stat && link === undefined)) return;
    if (link !== undefined) this.#record(`${name} ->`, link);
    if (stat?.isDirectory()) {
      const real = realpathSync(path);
      // a link back to a folder above
      if (this.#folders.has(real)) return;
      this.#folders.add(real);
      for (const entry of listed(path)) this.add(join(path, entry));
    } else {
      this.#bytes += stat?.isFile() ? stat.size : 0;
      if (this.#bytes > MOST_BYTES) throw this.#tooLarge(`${MOST_BYTES / 1024 / 1024} MB`);
      this.#record(name, stat?.isFile() ? contentHash(path) : "not a file");
    }
  }

  digest(): TrustDigest {
    const all = new Bun.CryptoHasher("sha256");
    for (const name of [...this.#entries.keys()].sort())
      all.update(JSON.stringify([name, this.#entries.get(name)!]));
    return { sha256: all.digest("hex"), items: this.items.sort() };
  }

  #record(name: string, content: string): void {
    if (this.#entries.size >= MOST_FILES) throw this.#tooLarge(`${MOST_FILES} files`);
    this.#entries.set(name, content);
    if (!name.endsWith(" ->")) this.items.push(name);
  }

  #tooLarge(amount: string): PiError {
    return new PiError({
      code: "trust_too_large",
      message: `what acts in ${this.#root} (.pi-go, skills, programs they name) is more than ${amount}, too much to be trusted as a whole`,
      hint: "Move what does not act out of it.",
    });
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // unreadable for us: nothing in it can act either
    return [];
  }
}

/** Undefined for what is not there, and for links that lead round in a circle (they still count as links). */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // ELOOP, or a name that no file can have
    return undefined;
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // not a link
    return undefined;
  }
}

function contentHash(path: string): string {
  const hash = new Bun.CryptoHasher("sha256");
  let descriptor: number;
  try {
    // what the system shows as a file may still let a reader wait (/proc/kmsg)
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    // an unreadable file does not act; once it can be read the hash is another one
    return `unreadable ${errorMessage(error)}`;
  }
  try {
    const buffer = new Uint8Array(1 << 16);
    for (;;) {
      const count = readSync(descriptor, buffer);
      if (count === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, count));
    }
  } catch (error) {
    // as above
    return `unreadable ${errorMessage(error)}`;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * What a configuration file names inside of the project: files by any of its words, folders only where they are loaded as
 * modules (a folder in a command is where it works, and may change).
 */
async function namedFiles(file: string, project: Project): Promise<string[]> {
  let text: string;
  try {
    text = readSmallFile(file);
  } catch {
    // unreadable or no file: it cannot act, so it names nothing
    return [];
  }
  const parsed = await parseJsonText(text);
  if (parsed.state !== "ok") return [];
  const { extensions = [], packages = [] } = parsed.value;
  const modules = [extensions, packages].flat().filter((entry) => typeof entry === "string");
  const found = new Set<string>();
  const consider = (word: string, folders: boolean) => {
    for (const base of [project.root, project.folder ?? project.root]) {
      const path = resolve(base, word);
      const stat = path.startsWith(project.root + sep) ? statOf(path) : undefined;
      if (stat?.isFile() || (folders && stat?.isDirectory() && path !== project.folder)) found.add(path);
    }
  };
  for (const word of words(parsed.value).slice(0, MOST_WORDS)) consider(word, false);
  for (const path of modules) consider(path, true);
  return [...found].sort();
}

function words(value: Json): string[] {
  if (typeof value === "string")
    return value.split(/[\s"'`;|&()<>=,$]+/).filter((word) => word !== "" && word.length < 1_000);
  if (Array.isArray(value)) return value.flatMap(words);
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(words);
  return [];
}
