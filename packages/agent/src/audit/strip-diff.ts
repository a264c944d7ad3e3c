import { showHidden } from "./show-hidden.ts";

const MOST_LINES = 200;
/** Of longer lines the part that changes is shown. */
const LONG_LINE = 400;
const AROUND = 100;

/**
 * What a removal changes, as a unified diff without context lines; hidden characters are written out as `\u{202e}`. Both texts must
 * have the same number of lines, which removing hidden characters does not change.
 */
export function stripDiff(name: string, old: Uint8Array, stripped: Uint8Array): string {
  const lines = [`--- ${name}`, `+++ ${name}`];
  let oldAt = 0;
  let newAt = 0;
  let changed = 0;
  for (let number = 1; oldAt <= old.length; number++) {
    const before = old.subarray(oldAt, lineEnd(old, oldAt));
    const now = stripped.subarray(newAt, lineEnd(stripped, newAt));
    oldAt += before.length + 1;
    newAt += now.length + 1;
    if (before.length === now.length) continue;
    if (++changed > MOST_LINES) continue;
    const from = Math.max(0, firstDifference(before, now) - AROUND);
    lines.push(`@@ -${number} +${number} @@`, `-${part(before, from)}`, `+${part(now, from)}`);
  }
  if (changed > MOST_LINES) lines.push(`[${changed - MOST_LINES} more changed lines]`);
  return lines.join("\n");
}

function lineEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(0x0a, from);
  return end < 0 ? bytes.length : end;
}

function firstDifference(a: Uint8Array, b: Uint8Array): number {
  let at = 0;
  while (at < b.length && a[at] === b[at]) at++;
  return at;
}

function part(line: Uint8Array, wanted: number): string {
  const end = line.at(-1) === 0x0d ? line.length - 1 : line.length;
  if (end <= LONG_LINE) return showHidden(line, 0, end);
  const from = characterStart(line, Math.min(wanted, end));
  const to = characterStart(line, Math.min(end, from + LONG_LINE));
  return `${from > 0 ? "…" : ""}${showHidden(line, from, to)}${to < end ? "…" : ""}`;
}

function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start--;
  return start;
}
