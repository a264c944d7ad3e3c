import type { Document } from "yaml";

const OPENING = /^\uFEFF?---[ \t]*\r?\n/;
const CLOSING = /^---[ \t]*(?:\r?\n|$)/m;

/** A note's text in its parts; `front` is null where it has no front matter. Joined again they are the note, byte for byte. */
export interface NoteParts {
  readonly opening: string;
  readonly front: string | null;
  readonly closing: string;
  readonly body: string;
}

/** Splits a note. Front matter that is not closed is body: a rule at the top of a text is one. */
export function splitNote(content: string): NoteParts {
  const opening = OPENING.exec(content)?.[0];
  if (opening === undefined) return { opening: "", front: null, closing: "", body: content };
  const rest = content.slice(opening.length);
  const closing = CLOSING.exec(rest);
  if (closing === null) return { opening: "", front: null, closing: "", body: content };
  return {
    opening,
    front: rest.slice(0, closing.index),
    closing: closing[0],
    body: rest.slice(closing.index + closing[0].length),
  };
}

export type FieldValue = string | number | boolean | readonly string[];

/** Reads front matter as fields. Throws an error that names the line for what is no YAML mapping. */
export async function parseFields(front: string): Promise<ReadonlyMap<string, unknown>> {
  const document = await parse(front);
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (value === null || value === undefined) return new Map();
  if (typeof value !== "object" || Array.isArray(value))
    throw new Error("its front matter is no list of fields");
  return new Map(Object.entries(value));
}

/** Front matter with these fields set, or removed where undefined; every other byte stays as it is. */
export async function changeFields(
  front: string,
  fields: ReadonlyMap<string, FieldValue | undefined>,
): Promise<string> {
  const { isMap, isScalar } = await import("yaml");
  const { contents } = await parse(front);
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const known = new Set<string>();
  for (const pair of isMap(contents) ? contents.items : []) {
    if (!isScalar(pair.key) || pair.key.range == null) continue;
    const name = String(pair.key.value);
    if (!fields.has(name)) continue;
    known.add(name);
    const value = pair.value as { range?: readonly number[] | null } | null;
    // A comment behind the value is a person's and stays; a field that goes takes its line with it.
    const end = value?.range?.[1] ?? pair.key.range[1] + 1;
    const wanted = fields.get(name);
    const lineEnd = front.indexOf("\n", Math.max(end - 1, pair.key.range[0]));
    edits.push(
      wanted === undefined
        ? { start: pair.key.range[0], end: lineEnd < 0 ? front.length : lineEnd + 1, text: "" }
        : { start: pair.key.range[0], end: trimmedEnd(front, end), text: `${name}: ${written(wanted)}` },
    );
  }
  let changed = front;
  for (const { start, end, text } of edits.sort((a, b) => b.start - a.start))
    changed = changed.slice(0, start) + text + changed.slice(end);
  const added = [...fields].flatMap(([name, value]) =>
    known.has(name) || value === undefined ? [] : [`${name}: ${written(value)}\n`],
  );
  const gap = changed === "" || changed.endsWith("\n") || added.length === 0 ? "" : "\n";
  return changed + gap + added.join("");
}

/** Block values end behind their last line feed, which is to stay. */
function trimmedEnd(front: string, end: number): number {
  let last = end;
  while (last > 0 && /\s/.test(front[last - 1]!)) last--;
  return last;
}

/** A value as JSON, which is YAML, without quotes where none are needed. */
function written(value: FieldValue): string {
  if (
    typeof value === "string" &&
    /^[A-Za-z][\w ./@-]*$/.test(value) &&
    !AMBIGUOUS.test(value) &&
    !value.endsWith(" ")
  )
    return value;
  if (Array.isArray(value)) return `[${value.map((entry) => JSON.stringify(entry)).join(", ")}]`;
  return JSON.stringify(value);
}

const AMBIGUOUS = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

async function parse(front: string): Promise<Document> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(front, { schema: "core" });
  const error = document.errors[0];
  if (error !== undefined)
    throw new Error(
      `its front matter is no YAML in line ${(error.linePos?.[0].line ?? 0) + 1}: ${error.code}`,
    );
  return document;
}
