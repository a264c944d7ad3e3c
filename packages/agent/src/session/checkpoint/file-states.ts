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
  look(path: string): FileState {
    return this.#state(path, MOST_FILE_BYTES, false);
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
    if (known?.stamp === look.stamp && (!keep || this.blobs.has(known.state.hash))) return known.state;
    const bytes = this.places.read(path, mostBytes);
    if (bytes === null) return { kind: "unkept", why: `it has ${look.size} bytes, too many to be kept` };
    const state = { kind: "file" as const, hash: hashOf(bytes), size: bytes.length, mode: look.mode };
    if (keep && !this.blobs.put(state.hash, bytes))
      return { kind: "unkept", why: "the checkpoints of this session are full" };
    this.#known.set(path, { stamp: look.stamp, state });
    return state;
  }
}

/** True when nothing would have to be done to get from one state to the other. What was not kept is equal to nothing. */
export function sameState(a: FileState, b: FileState): boolean {
  if (a.kind === "file" && b.kind === "file")
    return a.hash === b.hash && (!HAS_MODES || a.mode === b.mode);
  if (a.kind === "link" && b.kind === "link") return a.target === b.target;
  return a.kind === "missing" && b.kind === "missing";
}
