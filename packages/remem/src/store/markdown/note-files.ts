import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { MemoryRecord } from "../../core/memory/record.ts";

/** What tells that a file is still the one that was read. */
export interface FileState {
  readonly mtimeMs: number;
  readonly size: number;
}

const NOTE = /\.(?:md|markdown)$/i;
const SLUG_LENGTH = 40;
const OWNER_FILE = 0o600;

/**
 * The notes of a folder by path (with slashes); folders and files that begin with a dot are not looked at, links are not followed. It is asked
 * before every call: waiting for each file by itself would take several times as long.
 */
export function listNotes(folder: string): Map<string, FileState> {
  const found = new Map<string, FileState>();
  const visit = (below: string): void => {
    const entries = readdirSync(join(folder, below), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile() && NOTE.test(entry.name)) {
        const state = fileState(join(folder, path));
        if (state !== undefined) found.set(path, state);
      }
    }
  };
  visit("");
  return found;
}

/** Undefined for a file that is not there (any more). */
export function fileState(path: string): FileState | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found === undefined ? undefined : { mtimeMs: found.mtimeMs, size: found.size };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** A file's text. Throws for bytes that are no UTF-8: writing them back would change them. */
export async function readText(path: string): Promise<string> {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path));
}

export function contentHash(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Writes all of these files or, when one cannot be written, none: each is complete beside its place before the first takes it. */
export async function writeFiles(files: ReadonlyMap<string, string>): Promise<void> {
  const waiting: { readonly temporary: string; readonly path: string }[] = [];
  try {
    for (const [path, content] of files) {
      const temporary = join(dirname(path), `.writing-${contentHash(path).slice(0, 16)}-${process.pid}`);
      waiting.push({ temporary, path });
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(temporary, content, { mode: OWNER_FILE, flush: true });
    }
    for (const { temporary, path } of waiting) await rename(temporary, path);
  } catch (error) {
    for (const { temporary } of waiting) await rm(temporary, { force: true });
    throw error;
  }
}

/** A name for a memory's note that people recognise it by: its date and its first words. */
export function noteName(record: MemoryRecord): string {
  const date = new Date(record.at);
  const day = Number.isNaN(date.getTime()) ? "undated" : date.toISOString().slice(0, 10);
  const words = (record.title === "" ? record.text.slice(0, 200) : record.title)
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-");
  const slug = [...words]
    .slice(0, SLUG_LENGTH)
    .join("")
    .replace(/^-+|-+$/g, "");
  const id = record.id.replace(/[^\w-]/g, "-");
  return `${[day, slug, id].filter((part) => part !== "").join("-")}.md`;
}
