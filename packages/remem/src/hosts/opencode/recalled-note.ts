import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** From the source and from a bundle in `dist/hosts/`. */
const PLACES = ["../../../assets/recalled-memory.md", "../../assets/recalled-memory.md"];

const PATTERN_SIGNS = /[*?[\]{}()!]/;

/**
 * The file with the sentence that says what a frame of memories is. The host puts files of its `instructions` into the system text of
 * conversations and of nothing else, so that the frame's rank does not come from inside it. Undefined where it is missing, or where the
 * host would take signs in its path for a pattern.
 */
export function recalledNoteFile(): string | undefined {
  return PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(
    (file) => existsSync(file) && !PATTERN_SIGNS.test(file),
  );
}
