/** Text that is left out of the history and kept in a file. */
import type { SpillDoor } from "../../contract/tool.ts";

/** A cautious number of characters for one token. */
export const CHARACTERS_A_TOKEN = 3;

/** Writes `text` to a file of its own. The path, or undefined when there is no place for it. */
export function keepText(spill: SpillDoor | undefined, label: string, text: string): string | undefined {
  const file = spill?.open(label);
  if (!file) return undefined;
  try {
    file.write(new TextEncoder().encode(text));
  } finally {
    file.close();
  }
  return file.dropped === 0 ? file.path : undefined;
}

/** The beginning and the end of a text that is too long, with a note between them; about `most` characters, none of them halved. */
export function shortened(text: string, most: number, note: (left: number) => string): string {
  if (text.length <= most) return text;
  let head = Math.floor(most * 0.6);
  let tail = text.length - (most - head);
  if (isFirstHalf(text, head - 1)) head--;
  if (isFirstHalf(text, tail - 1)) tail++;
  return `${text.slice(0, head)}\n${note(tail - head)}\n${text.slice(tail)}`;
}

/** Whether the character at `index` is the first half of a pair. */
function isFirstHalf(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xd800 && code <= 0xdbff;
}
