import { isUtf8 } from "node:buffer";
import { readFileSync, readlinkSync, statSync } from "node:fs";
import { errorMessage, systemCode } from "../contract/errors.ts";
import type { Json, JsonObject } from "../contract/json.ts";

/** What a JSON-with-comments file holds. `broken` says what is wrong and where, ready for people (without the path). */
export type JsonFile =
  | { state: "missing" }
  | { state: "broken"; problem: string }
  | { state: "ok"; value: JsonObject; text: string };

/** Reads a file of JSON with comments and trailing commas. An empty file is `{}`. Never throws, never writes. */
export async function readJsonFile(path: string): Promise<JsonFile> {
  let bytes: Buffer;
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return { state: "broken", problem: "it is not a file" };
    bytes = readFileSync(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") {
      const problem = danglingProblem(path);
      return problem === null ? { state: "missing" } : { state: "broken", problem };
    }
    return { state: "broken", problem: `it cannot be read (${code ?? errorMessage(error)})` };
  }
  const text = bytes.toString("utf8");
  // people see this instead of replacement characters in their settings
  if (text.includes("\uFFFD") && !isUtf8(bytes)) return { state: "broken", problem: "it is not UTF-8 text" };
  return parseJsonText(text);
}

/**
 * What is wrong with a path at which nothing was found although a link is there; null when there is none. Who linked a file meant
 * it to be read: a drive or a checkout that is not there must not pass for settings that were never made.
 */
export function danglingProblem(path: string): string | null {
  try {
    return `it is a link to ${readlinkSync(path)}, which does not exist`;
  } catch {
    return null;
  }
}

/** Parses JSON with comments, trailing commas, a byte order mark; the parser is loaded only for text that is no plain JSON. */
export async function parseJsonText(source: string): Promise<JsonFile> {
  const text = source.startsWith("\uFEFF") ? source.slice(1) : source;
  let value: Json | undefined;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    // not plain JSON: comments, or broken; the tolerant parser tells them apart
    const { parse, printParseErrorCode } = await import("jsonc-parser");
    const errors: import("jsonc-parser").ParseError[] = [];
    try {
      value = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true }) ?? {};
    } catch {
      // the parser goes one call deeper with each bracket
      return { state: "broken", problem: "it is nested too deeply, at line 1:1" };
    }
    const first = errors[0];
    if (first) {
      const at = position(text, first.offset);
      return { state: "broken", problem: `${spelled(printParseErrorCode(first.error))} at ${at}` };
    }
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return {
      state: "broken",
      problem: `the whole of it must be an object { … }, not ${kindOf(value)}, at line 1:1`,
    };
  return { state: "ok", value, text };
}

const TOKEN = /"(?:\\.|[^"\\])*"|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|[{}[\]:]/g;

/**
 * The first key that stands twice in one object of a text that was read, with its second place; null when there is none. A parser
 * takes the last one without a word, and a rule or a limit in the first is lost.
 */
export function repeatedKey(text: string): { key: string; at: string } | null {
  const open: Set<string>[] = [];
  let last: RegExpExecArray | undefined;
  for (const token of text.matchAll(TOKEN)) {
    const sign = token[0][0]!;
    if (sign === "{" || sign === "[") open.push(new Set());
    else if (sign === "}" || sign === "]") open.pop();
    else if (sign === '"') last = token;
    else if (sign === ":" && last) {
      const key = JSON.parse(last[0]) as string;
      if (open.at(-1)?.has(key)) return { key, at: position(text, last.index) };
      open.at(-1)?.add(key);
    }
  }
  return null;
}

function position(text: string, offset: number): string {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${before.length}:${before.at(-1)!.length + 1}`;
}

/** `PropertyNameExpected` as `property name expected`. */
function spelled(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase();
}

/** The JSON type of a value, with its article, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}
