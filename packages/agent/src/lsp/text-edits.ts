import { LineMap, type PositionEncoding, type WirePosition } from "./line-map.ts";

/** One replacement as the protocol has it. */
export interface WireEdit {
  range: { start: WirePosition; end: WirePosition };
  newText: string;
}

/**
 * The text after all edits, which all speak of the text before. A server's mistake is a `problem`, and then nothing is to be
 * applied: edits that overlap or lie outside of the text, what is no edit, a result without any text where there was some.
 */
export function applyTextEdits(
  text: string,
  edits: unknown,
  encoding: PositionEncoding,
): { text: string } | { problem: string } {
  if (edits === null || edits === undefined) return { text };
  if (!Array.isArray(edits)) return { problem: "its answer is no list of edits" };
  const map = new LineMap(text);
  const spans: { start: number; end: number; newText: string; order: number }[] = [];
  for (const [order, edit] of edits.entries()) {
    if (!isEdit(edit)) return { problem: "one of its edits is none" };
    const start = map.offset(edit.range.start, encoding);
    const end = map.offset(edit.range.end, encoding);
    if (start === null || end === null || end < start)
      return { problem: `one of its edits lies outside of the file (${rangeWords(edit)})` };
    spans.push({ start, end, newText: edit.newText, order });
  }
  // Insertions at one place stay in the order in which they came.
  spans.sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order);
  const pieces: string[] = [];
  let from = 0;
  for (const span of spans) {
    if (span.start < from) return { problem: "its edits overlap" };
    pieces.push(text.slice(from, span.start), span.newText);
    from = span.end;
  }
  pieces.push(text.slice(from));
  const after = pieces.join("");
  if (after.trim() === "" && text.trim() !== "") return { problem: "its edits would empty the file" };
  if (!after.isWellFormed() && text.isWellFormed())
    return { problem: "its edits would cut a character in half" };
  return { text: after };
}

function isEdit(value: unknown): value is WireEdit {
  const edit = value as WireEdit | null;
  return (
    typeof edit === "object" &&
    edit !== null &&
    typeof edit.newText === "string" &&
    isPosition(edit.range?.start) &&
    isPosition(edit.range?.end)
  );
}

function isPosition(value: unknown): value is WirePosition {
  const position = value as WirePosition | null | undefined;
  return typeof position?.line === "number" && typeof position.character === "number";
}

function rangeWords({ range: { start, end } }: WireEdit): string {
  return `${start.line}:${start.character} to ${end.line}:${end.character}`;
}
