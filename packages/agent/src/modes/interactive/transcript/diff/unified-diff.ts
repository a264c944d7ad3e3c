import { type DiffLine, emphasise } from "./diff-line.ts";

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const HEADER =
  /^(?:diff |index |--- |\+\+\+ |new file|deleted file|old mode|new mode|similarity|rename |copy |Binary )/;

/** Lines of a unified diff with their numbers; headers and hunk marks are notes. */
export function parseUnifiedDiff(text: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let oldLine = 0;
  let newLine = 0;
  let inHunk = false;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      oldLine = Number(hunk[1]);
      newLine = Number(hunk[2]);
      inHunk = true;
      lines.push({ kind: "note", text: line });
    } else if (!inHunk || /^(?:diff --git |Index: )/.test(line)) {
      inHunk = false;
      lines.push({ kind: HEADER.test(line) || line === "" ? "note" : "context", text: line });
    } else if (line.startsWith("+")) lines.push({ kind: "added", text: line.slice(1), newLine: newLine++ });
    else if (line.startsWith("-")) lines.push({ kind: "removed", text: line.slice(1), oldLine: oldLine++ });
    else if (line.startsWith("\\")) lines.push({ kind: "note", text: line });
    else lines.push({ kind: "context", text: line.slice(1), oldLine: oldLine++, newLine: newLine++ });
  }
  return emphasise(lines);
}
