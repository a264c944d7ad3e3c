import { isJsonObject, type Json, type JsonObject } from "../../../../contract/json.ts";
import { type DiffLine, diffLines } from "../diff/diff-line.ts";
import { parseUnifiedDiff } from "../diff/unified-diff.ts";
import { numberOf, type ToolRun, textOf } from "./tool-run.ts";

/** Texts longer than this are counted and cut, not compared. */
const MAX_CHARACTERS = 200_000;

/**
 * What an `edit` or `write` changed, as far as its call tells: the texts of an edit, set into the whole lines that its result
 * shows; the content of a new file. Undefined where nothing can be told (a file that was replaced).
 */
export function changesOf(run: ToolRun): DiffLine[] | undefined {
  if (run.result?.isError) return undefined;
  const told = textOf(run.result?.details ?? {}, "diff");
  if (told !== undefined) return parseUnifiedDiff(told);
  if (run.name === "edit") return editChanges(run);
  if (run.name !== "write" || run.result?.details["created"] !== true) return undefined;
  return lines(textOf(run.input, "content", "contents", "text") ?? "").map((text, index) => ({
    kind: "added",
    text,
    newLine: index + 1,
  }));
}

function editChanges(run: ToolRun): DiffLine[] {
  const edits = editsOf(run.input);
  const details = run.result?.details ?? {};
  const starts = Array.isArray(details["lines"])
    ? details["lines"].filter((line) => typeof line === "number")
    : [];
  const single = edits.length === 1 && numberOf(details, "replacements") === 1;
  const shown = numberedLines(run.result?.content ?? "");
  const out: DiffLine[] = [];
  for (const [index, edit] of edits.entries()) {
    if (index > 0) out.push({ kind: "note", text: "" });
    const start = single ? starts[0] : undefined;
    const whole = start === undefined ? undefined : wholeLines(edit, start, shown);
    const { before, after } = whole ?? { before: lines(edit.before), after: lines(edit.after) };
    out.push(...diffLines(before, after, start, start));
    if (edit.all && starts.length > 1) out.push({ kind: "note", text: `in ${starts.length} places` });
  }
  return single && starts[0] !== undefined ? withContext(out, shown) : out;
}

interface Edit {
  before: string;
  after: string;
  all: boolean;
}

function editsOf(input: JsonObject): Edit[] {
  const all = input["replace_all"] === true;
  const edits: Edit[] = [];
  const add = (source: JsonObject) => {
    const before = textOf(source, "old_string", "old_text", "old_str");
    if (before === undefined) return;
    const after = textOf(source, "new_string", "new_text", "new_str") ?? "";
    edits.push({ before: before.slice(0, MAX_CHARACTERS), after: after.slice(0, MAX_CHARACTERS), all });
  };
  add(input);
  const list: Json | undefined = input["edits"];
  for (const each of Array.isArray(list) ? list : []) if (isJsonObject(each)) add(each);
  return edits;
}

/** The numbered lines of an edit's result: those around its change, as they are now. */
function numberedLines(content: string): Map<number, string> {
  const shown = new Map<number, string>();
  for (const line of content.split("\n", 200)) {
    const match = /^(\d+)\t(.*)$/.exec(line);
    if (match) shown.set(Number(match[1]), match[2]!);
  }
  return shown;
}

/** The edit's texts with what stands around them on their first and last line; undefined where that is not certain. */
function wholeLines(edit: Edit, start: number, shown: ReadonlyMap<number, string>) {
  const after = edit.after.split("\n");
  const first = shown.get(start);
  const last = shown.get(start + after.length - 1);
  if (first === undefined || last === undefined || last.endsWith(" bytes]")) return undefined;
  const firstText = after[0]!;
  const lastText = after.at(-1)!;
  let lead: string;
  let trail: string;
  if (after.length === 1) {
    const at = first.indexOf(firstText);
    if (firstText === "" || at === -1 || first.indexOf(firstText, at + 1) !== -1) return undefined;
    lead = first.slice(0, at);
    trail = first.slice(at + firstText.length);
  } else {
    if (!first.endsWith(firstText) || !last.startsWith(lastText)) return undefined;
    lead = first.slice(0, first.length - firstText.length);
    trail = last.slice(lastText.length);
  }
  const around = (text: string) => lines(`${lead}${text}${trail}`);
  return { before: around(edit.before), after: around(edit.after) };
}

/** Lines around the change, from the result. */
function withContext(changes: readonly DiffLine[], shown: ReadonlyMap<number, string>): DiffLine[] {
  const numbers = changes.flatMap((line) => (line.newLine === undefined ? [] : [line.newLine]));
  const removed = changes.flatMap((line) => (line.oldLine === undefined ? [] : [line.oldLine]));
  if (numbers.length === 0 || removed.length === 0) return [...changes];
  const first = numbers[0]!;
  const last = numbers.at(-1)!;
  const shift = last - removed.at(-1)!;
  const context = (from: number, to: number, offset: number): DiffLine[] => {
    const out: DiffLine[] = [];
    for (let line = from; line <= to; line++) {
      const text = shown.get(line);
      if (text !== undefined) out.push({ kind: "context", text, newLine: line, oldLine: line - offset });
    }
    return out;
  };
  return [...context(first - 2, first - 1, 0), ...changes, ...context(last + 1, last + 2, shift)];
}

function lines(text: string): string[] {
  const all = text.slice(0, MAX_CHARACTERS).replaceAll("\r\n", "\n").split("\n");
  if (all.at(-1) === "") all.pop();
  return all;
}
