import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** Copies of databases that lie where SQLite cannot make the files it needs to read them. */
export class ReadableCopies {
  readonly #folders: string[] = [];

  /** Copies a database with its log into a private folder; gives the copy. */
  of(path: string): string {
    const folder = mkdtempSync(join(tmpdir(), "remem-"));
    this.#folders.push(folder);
    const copy = join(folder, basename(path));
    copyFileSync(path, copy);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
    return copy;
  }

  remove(): void {
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
    this.#folders.length = 0;
  }
}
