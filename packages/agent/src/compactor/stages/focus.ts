import { formatCount } from "../../platform/format-count.ts";
import type { Stage } from "../stage.ts";

const HEAD = 40;
const TAIL = 100;
const BEFORE = 2;
const AFTER = 8;
/** A gap this small is not worth its note. */
const SMALL_GAP = 4;

/** Of output that is still too long: the beginning, the end, and every line that tells of an error with those around it. */
export const focusStage: Stage = {
  name: "focus",
  lossless: false,
  run(lines, { limits, kinds, mustStay }) {
    if (!(["test", "build", "lint", "package"] as const).some((kind) => kinds.has(kind))) return undefined;
    const chars = lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (lines.length <= limits.maxLines && chars <= limits.maxChars) return undefined;
    const wanted = new Uint8Array(lines.length);
    for (const [index, line] of lines.entries()) {
      if (index < HEAD || index >= lines.length - TAIL) wanted[index] = 1;
      if (!mustStay(line)) continue;
      for (let near = Math.max(0, index - BEFORE); near <= Math.min(lines.length - 1, index + AFTER); near++)
        wanted[near] = 1;
    }
    const kept: string[] = [];
    let gap: string[] = [];
    let total = 0;
    const close = () => {
      if (gap.length <= SMALL_GAP) kept.push(...gap);
      else {
        kept.push(`[${formatCount(gap.length)} lines left out here]`);
        total += gap.length;
      }
      gap = [];
    };
    for (const [index, line] of lines.entries()) {
      if (!wanted[index]) {
        gap.push(line);
        continue;
      }
      close();
      kept.push(line);
    }
    close();
    if (total === 0) return undefined;
    return { lines: kept, leftOut: [{ count: total, one: "other line", many: "other lines" }] };
  },
};
