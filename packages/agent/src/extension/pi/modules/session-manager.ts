import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newId } from "../../../platform/ids.ts";
import { readSmallFile } from "../../../platform/read-small-file.ts";
import { SESSION_VERSION } from "./pi-version.ts";

interface Entry {
  type: string;
  id: string;
  parentId: string | null;
  timestamp: string;
  [field: string]: unknown;
}

/** More than any conversation that fits a model. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Session files of extensions' own, in Pi's format: made, read and added to. Sessions of pi-ts are read through
 * `ctx.sessionManager`; their files are not these.
 */
export class SessionManager {
  readonly #cwd: string;
  readonly #file: string | undefined;
  readonly #id: string;
  readonly #entries: Entry[] = [];
  #leaf: string | null = null;

  private constructor(cwd: string, file: string | undefined, id: string) {
    this.#cwd = cwd;
    this.#file = file;
    this.#id = id;
  }

  static inMemory(cwd: string = process.cwd()): SessionManager {
    return new SessionManager(cwd, undefined, newId());
  }

  /** A new file in `folder`; it is there when this returns. */
  static create(cwd: string, folder?: string): SessionManager {
    if (folder === undefined)
      throw new Error("SessionManager.create needs a folder in pi-ts: sessions of pi-ts are not Pi's files");
    const id = newId();
    const timestamp = new Date().toISOString();
    const file = join(folder, `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`);
    const manager = new SessionManager(cwd, file, id);
    mkdirSync(dirname(file), { recursive: true });
    manager.#write({ type: "session", version: SESSION_VERSION, id, timestamp, cwd }, "wx");
    return manager;
  }

  /** Opens a file of Pi's. Throws when it is none. */
  static open(file: string, _folder?: string, cwd: string = process.cwd()): SessionManager {
    if (!existsSync(file)) throw new Error(`there is no session file ${file}`);
    const lines = readSmallFile(file, MOST_BYTES)
      .split("\n")
      .filter((line) => line !== "");
    const header = JSON.parse(lines[0] ?? "{}") as { type?: unknown; id?: unknown; cwd?: unknown };
    if (header.type !== "session")
      throw new Error(`${file} is no session file of Pi's; ctx.sessionManager reads sessions of pi-ts`);
    const manager = new SessionManager(
      typeof header.cwd === "string" ? header.cwd : cwd,
      file,
      String(header.id),
    );
    for (const line of lines.slice(1)) manager.#entries.push(JSON.parse(line) as Entry);
    manager.#leaf = manager.#entries.at(-1)?.id ?? null;
    return manager;
  }

  getCwd = () => this.#cwd;
  getSessionId = () => this.#id;
  getSessionFile = () => this.#file;
  getSessionDir = () => (this.#file === undefined ? "" : dirname(this.#file));
  getLeafId = () => this.#leaf;
  getEntries = (): Entry[] => [...this.#entries];
  getEntry = (id: string) => this.#entries.find((entry) => entry.id === id);

  getBranch = (from?: string): Entry[] => {
    const branch: Entry[] = [];
    for (let id = from ?? this.#leaf; id !== null; ) {
      const entry = this.getEntry(id);
      if (entry === undefined) break;
      branch.unshift(entry);
      id = entry.parentId;
    }
    return branch;
  };

  appendMessage = (message: unknown): string => this.#append("message", { message });
  appendCustomEntry = (customType: string, data?: unknown): string =>
    this.#append("custom", { customType, data });
  appendSessionInfo = (name: string): string => this.#append("session_info", { name });

  /** Goes on from an earlier entry. */
  branch = (id: string): void => {
    if (this.getEntry(id) === undefined) throw new Error(`there is no entry ${id}`);
    this.#leaf = id;
  };

  #append(type: string, fields: Record<string, unknown>): string {
    const id = newId().replaceAll("-", "").slice(-8);
    const entry: Entry = { type, id, parentId: this.#leaf, timestamp: new Date().toISOString(), ...fields };
    this.#entries.push(entry);
    this.#leaf = id;
    this.#write(entry, "a");
    return id;
  }

  #write(line: object, flags: "a" | "wx"): void {
    if (this.#file === undefined) return;
    const fd = openSync(this.#file, flags, 0o600);
    try {
      writeFileSync(fd, `${JSON.stringify(line)}\n`);
    } finally {
      closeSync(fd);
    }
  }
}
