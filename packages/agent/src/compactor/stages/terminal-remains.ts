import { isErrorLine } from "../error-line.ts";
import type { Stage } from "../stage.ts";

const SEQUENCE =
  /\x1b\[[0-9;:?<=>]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[PX^_][^\x1b]*(?:\x1b\\)?|\x1b[ -/]*[0-~]|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]/g;

/** Removes escape sequences, and of a line that was drawn over all but its last state. */
export const terminalRemains: Stage = {
  name: "terminal-remains",
  lossless: true,
  run(lines) {
    let changed = false;
    const cleaned = lines.map((line) => {
      if (!/[\x00-\x08\x0b-\x1f\x7f]/.test(line)) return line;
      changed = true;
      const frames = line.replace(SEQUENCE, "").split("\r");
      const last = frames.findLast((frame) => frame.trim() !== "") ?? "";
      return [...new Set([...frames.filter((frame) => isErrorLine(frame)), last])];
    });
    return changed ? { lines: cleaned.flat() } : undefined;
  },
};
