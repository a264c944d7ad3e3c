import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { isPiError } from "../contract/errors.ts";
import type { FileDoor } from "../contract/files.ts";
import { FILE_CHANGE, type FileChange } from "./file-change.ts";
import type { LanguageServer } from "./language-server.ts";
import { trySource } from "./source-text.ts";

/** Folders that no server wants to hear of, or that are too large to look through. */
const PASSED_OVER = new Set([
  "node_modules",
  "target",
  "dist",
  "build",
  "vendor",
  "__pycache__",
  "venv",
  "zig-out",
]);
const MOST_ENTRIES = 20_000;

/** What one server was told of the disk, and what changed there since: by commands, by people, by other tools. */
export class DiskView {
  readonly #files: FileDoor;
  readonly #server: LanguageServer;
  /** Time and size of the open documents' files when they were last shown. */
  readonly #shown = new Map<string, string>();
  #snapshot: Promise<Map<string, string>> | undefined;

  constructor(files: FileDoor, server: LanguageServer) {
    this.#files = files;
    this.#server = server;
  }

  /** Remembers what lies there now, so that later changes can be told. */
  begin(): void {
    this.#snapshot = this.#look();
    this.#snapshot.catch(() => undefined);
  }

  /** A document was shown as it is on the disk. */
  noteShown(path: string): void {
    const stamp = this.#stamp(path);
    if (stamp !== null) this.#shown.set(path, stamp);
  }

  /** Brings the open documents up to date. With `everywhere`, also tells of files that came, changed or went in the root. */
  async refresh(everywhere: boolean): Promise<void> {
    this.#refreshOpen();
    if (everywhere) await this.#tellChanges();
  }

  #refreshOpen(): void {
    const { documents } = this.#server;
    const open = documents.list();
    for (const path of this.#shown.keys()) if (documents.get(path) === undefined) this.#shown.delete(path);
    for (const { path } of open) {
      const stamp = this.#stamp(path);
      if (stamp !== null && stamp === this.#shown.get(path)) continue;
      const source = stamp === null ? null : trySource(this.#files, path);
      if (source === null) {
        documents.close(path);
        this.#shown.delete(path);
        this.#server.filesChanged([
          { path, type: stamp === null ? FILE_CHANGE.deleted : FILE_CHANGE.changed },
        ]);
        continue;
      }
      if (documents.get(path)?.text !== source.text)
        this.#server.filesChanged([{ path, type: FILE_CHANGE.changed }]);
      documents.show(path, source.text, true);
      this.#shown.set(path, stamp!);
    }
  }

  async #tellChanges(): Promise<void> {
    const before = await this.#snapshot?.catch(() => undefined);
    this.begin();
    const after = await this.#snapshot!;
    if (before === undefined) return;
    const changes: { path: string; type: FileChange }[] = [];
    for (const [path, stamp] of after) {
      const old = before.get(path);
      if (old !== stamp)
        changes.push({ path, type: old === undefined ? FILE_CHANGE.created : FILE_CHANGE.changed });
    }
    for (const path of before.keys()) if (!after.has(path)) changes.push({ path, type: FILE_CHANGE.deleted });
    this.#server.filesChanged(changes);
  }

  #stamp(path: string): string | null {
    try {
      const { mtimeMs, size } = this.#files.stat(path);
      return `${mtimeMs}:${size}`;
    } catch (thrown) {
      if (isPiError(thrown)) return null;
      throw thrown;
    }
  }

  /** Times and sizes of the server's kinds of files, and of those that mark a root. */
  async #look(): Promise<Map<string, string>> {
    const { definition, root } = this.#server;
    const seen = new Map<string, string>();
    const folders = [root];
    let entries = 0;
    while (folders.length > 0 && entries < MOST_ENTRIES) {
      const folder = folders.pop()!;
      const listed = await readdir(folder, { withFileTypes: true }).catch(() => []);
      entries += listed.length;
      for (const entry of listed) {
        if (entry.isDirectory() && !PASSED_OVER.has(entry.name) && !entry.name.startsWith("."))
          folders.push(join(folder, entry.name));
        const known =
          Object.hasOwn(definition.languageIds, extname(entry.name).toLowerCase()) ||
          definition.rootMarkers.includes(entry.name);
        if (!entry.isFile() || !known) continue;
        const path = join(folder, entry.name);
        const found = await stat(path).catch(() => null);
        if (found !== null) seen.set(path, `${found.mtimeMs}:${found.size}`);
      }
    }
    return seen;
  }
}
