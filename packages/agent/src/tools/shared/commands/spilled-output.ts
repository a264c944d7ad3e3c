import type { SpillDoor, SpillFile } from "../../../contract/tool.ts";

/** All bytes of a command in order of arrival, on disk once they are too many for the model. */
export interface SpilledOutput {
  push(bytes: Uint8Array): void;
  /** The file with all of it, made now if need be; with what is missing when the disk or the limit stopped it. */
  where(): string | undefined;
  /** No more bytes will come; `where` may still be asked. */
  close(): void;
}

const MEMORY = 128 * 1024;

/** Holds up to 128 KB in memory; beyond that (or when asked where it is) everything goes to a private file. */
export function spilledOutput(spill: SpillDoor, label: string): SpilledOutput {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let file: SpillFile | null | undefined;
  let over = false;

  function open(): SpillFile | null {
    if (file !== undefined) return file;
    file = spill.open(label);
    for (const bytes of held) file?.write(bytes);
    held = [];
    if (over) file?.close();
    return file;
  }

  return {
    push(bytes) {
      if (file !== undefined) {
        file?.write(bytes);
        return;
      }
      // A copy: the stream may reuse its buffer.
      held.push(bytes.slice());
      heldBytes += bytes.length;
      if (heldBytes > MEMORY) open();
    },
    where() {
      const opened = open();
      if (opened === null) return undefined;
      return opened.dropped === 0 ? opened.path : `${opened.path} (its first ${opened.written} bytes)`;
    },
    close() {
      over = true;
      file?.close();
    },
  };
}
