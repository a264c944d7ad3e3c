import { lstatSync, readdirSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../../platform/atomic-file.ts";
import { ensurePrivateFolder } from "../../platform/private-folder.ts";

/** Contents that files had, each kept once, by the SHA-256 of its bytes. */
export interface BlobStore {
  has(hash: string): boolean;
  /** False: no more is kept, because the store is full. Throws a PiError with a FileErrorCode when the disk refuses. */
  put(hash: string, bytes: Uint8Array): boolean;
  /** Null when it is not there, or damaged. */
  get(hash: string): Uint8Array | null;
  /** Never throws. */
  remove(hash: string): void;
}

const HASH = /^[0-9a-f]{64}$/;

/** The name of a content. */
export function hashOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/** Private files (0600) in one folder, which comes into being with the first one; together at most `mostBytes`. */
export function diskBlobs(folder: string, mostBytes: number): BlobStore {
  let used: number | undefined;
  const path = (hash: string) => join(folder, hash);
  const has = (hash: string): boolean =>
    HASH.test(hash) && lstatSync(path(hash), { throwIfNoEntry: false })?.isFile() === true;
  return {
    has,
    put(hash, bytes) {
      if (has(hash)) return true;
      if (used === undefined) {
        ensurePrivateFolder(folder);
        used = sizeOf(folder);
      }
      if (used + bytes.length > mostBytes) return false;
      // Whole after a crash of ours; a power cut may lose it, and then `get` says so.
      writeFileAtomic(path(hash), bytes, { mode: 0o600, durable: false });
      used += bytes.length;
      return true;
    },
    get(hash) {
      if (!has(hash)) return null;
      try {
        const bytes = readFileSync(path(hash));
        return hashOf(bytes) === hash ? bytes : null;
      } catch {
        // gone, or not readable any more: the same as never kept
        return null;
      }
    },
    remove(hash) {
      try {
        if (has(hash)) unlinkSync(path(hash));
      } catch {
        // it stays, and is of no use
      }
    },
  };
}

/** The same in memory, for a session that leaves nothing on disk. */
export function memoryBlobs(mostBytes: number): BlobStore {
  const blobs = new Map<string, Uint8Array>();
  let used = 0;
  return {
    has: (hash) => blobs.has(hash),
    put(hash, bytes) {
      if (blobs.has(hash)) return true;
      if (used + bytes.length > mostBytes) return false;
      blobs.set(hash, bytes.slice());
      used += bytes.length;
      return true;
    },
    get: (hash) => blobs.get(hash) ?? null,
    remove: (hash) => void blobs.delete(hash),
  };
}

function sizeOf(folder: string): number {
  let sum = 0;
  for (const name of readdirSync(folder))
    sum += lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  return sum;
}
