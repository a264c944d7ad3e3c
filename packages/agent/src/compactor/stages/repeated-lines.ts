import { formatCount } from "../../platform/format-count.ts";
import type { Stage } from "../stage.ts";

const LONGEST_BLOCK = 6;
const TIMES = 3;

/** Says how often lines, or blocks of up to six lines, are repeated in a row; several empty lines become one. */
export const repeatedLines: Stage = {
  name: "repeated-lines",
  lossless: true,
  run(lines) {
    const kept: string[] = [];
    let changed = false;
    for (let at = 0; at < lines.length; ) {
      const line = lines[at]!;
      if (line.trim() === "" && at > 0 && lines[at - 1]!.trim() === "") {
        changed = true;
        at++;
        continue;
      }
      const { length, times } = longestRepeat(lines, at);
      if (times < TIMES || (length === 1 && line.trim() === "")) {
        kept.push(line);
        at++;
        continue;
      }
      kept.push(...lines.slice(at, at + length));
      const what = length === 1 ? "the line above" : `the ${length} lines above`;
      kept.push(`[${what}, ${formatCount(times - 1)} more times]`);
      at += length * times;
      changed = true;
    }
    return changed ? { lines: kept } : undefined;
  },
};

/** The shortest block that starts at `at` and comes at least three times in a row. */
function longestRepeat(lines: readonly string[], at: number): { length: number; times: number } {
  for (let length = 1; length <= LONGEST_BLOCK; length++) {
    let times = 1;
    while (sameBlock(lines, at, at + times * length, length)) times++;
    if (times >= TIMES) return { length, times };
  }
  return { length: 1, times: 1 };
}

function sameBlock(lines: readonly string[], first: number, second: number, length: number): boolean {
  if (second + length > lines.length) return false;
  for (let offset = 0; offset < length; offset++)
    if (lines[first + offset] !== lines[second + offset]) return false;
  return true;
}
