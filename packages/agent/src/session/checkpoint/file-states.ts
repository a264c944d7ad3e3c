import type { FileState, PlaceDoor, PlaceLook } from "../../contract/checkpoint.ts";
import { errorMessage, isPiError } from "../../contract/errors.ts";
import { type BlobStore, hashOf } from "./blob-store.ts";

/** A file with more is not kept. Bytes. */
export const MOST_FILE_BYTES = 16 * 1024 * 1024;

/** Windows has no mode that a checkpoint could bring back. */
const HAS_MODES = process.platform !== "win32";

/** Reads what files are like, and keeps their contents. */
export class FileStates {
  readonly places: PlaceDoor;
  readonly blobs: BlobStore;
  /** Bytes that were read so far. */
  bytesRead = 0;
  /** Contents that were not kept before this process. */
  readonly fresh = new Set<string>();
  /** The state of a file as long as its stamp is the same. */
  readonly #known = new Map<string, { stamp: string; state: FileState & { kind: "file" } }>();

  constructor(places: PlaceDoor, blobs: BlobStore) {
    this.places = places;
    this.blobs = blobs;
  }

  /** What stands at `path`, with its content kept; one of more than `mostBytes` is not. Never throws. */
  keep(path: string, mostBytes: number = MOST_FILE_BYTES): FileState {
    return this.#state(path, mostBytes, true);
  }

  /** The same without keeping anything. Never throws. */
  look(path: string, mostBytes: number = MOST_FILE_BYTES): FileState {
    return this.#state(path, mostBytes, false);
  }

  /** Keeps a content; false when no more is kept. Throws a PiError with a FileErrorCode. */
  put(hash: string, bytes: Uint8Array): boolean {
    if (this.blobs.has(hash)) return true;
    this.fresh.add(hash);
    return this.blobs.put(hash, bytes);
  }

  #state(path: string, mostBytes: number, keep: boolean): FileState {
    try {
      const look = this.places.look(path);
      if (look.kind === "missing") return look.folders > 0 ? look : { kind: "missing" };
      if (look.kind === "link") return look;
      if (look.kind !== "file")
        return {
          kind: "unkept",
          why: look.kind === "folder" ? "it is a folder" : "it is a device, socket or FIFO",
        };
      return this.#file(path, look, mostBytes, keep);
    } catch (thrown) {
      const secret = isPiError(thrown) && thrown.code === "file_secret";
      return { kind: "unkept", why: secret ? "it is on the list of secret files" : errorMessage(thrown) };
    }
  }

  #file(path: string, look: PlaceLook & { kind: "file" }, mostBytes: number, keep: boolean): FileState {
    const known = this.#known.get(path);
    const same = known?.stamp === look.stamp ? known.state : undefined;
    if (same !== undefined && this.blobs.has(same.hash)) return same;
    if (look.size <= mostBytes && same !== undefined && !keep) return same;
    const bytes = look.size > mostBytes ? null : this.places.read(path, mostBytes);
    if (bytes === null) return { kind: "unkept", why: `it has ${look.size} bytes, too many to be kept` };
    this.bytesRead += bytes.length;
    const state = { kind: "file" as const, hash: hashOf(bytes), size: bytes.length, mode: look.mode };
    if (keep && !this.put(state.hash, bytes))
      return { kind: "unkept", why: "the checkpoints of this session are full" };
    this.#known.set(path, { stamp: look.stamp, state });
    return state;
  }
}

/** True when nothing would have to be done to get from one state to the other. What was not kept is equal to nothing. */
export function sameState(a: FileState, b: FileState): boolean {
  if (a.kind === "file" && b.kind === "file") return a.hash === b.hash && (!HAS_MODES || a.mode === b.mode);
  if (a.kind === "link" && b.kind === "link") return a.target === b.target;
  return a.kind === "missing" && b.kind === "missing";
}
