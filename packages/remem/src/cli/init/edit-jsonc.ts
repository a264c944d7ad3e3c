import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import type { Node } from "jsonc-parser";
import { CliError } from "../cli-error.ts";
import { changePrivateFile } from "./private-file.ts";

export type JsoncParser = typeof import("jsonc-parser");

/** A file of JSON with comments, read for its values. */
export interface ReadJsonc {
  /** Its object; undefined when the file is not there. */
  readonly value: Readonly<Record<string, unknown>> | undefined;
}

/** Reads a file of settings. Rejects with a CliError that says where it is broken. */
export async function readJsonc(file: string): Promise<ReadJsonc> {
  const text = readText(file);
  if (text === undefined) return { value: undefined };
  const jsonc = await import("jsonc-parser");
  return { value: jsonc.getNodeValue(parsedObject(jsonc, file, withoutMark(text))) };
}

/**
 * Changes a file of settings that others may change, too; `change` gets its text (`fresh` when the file is missing) and gives the new one.
 * Gives whether anything was written. `shared`: it is another program's, and keeps its mode. A file that is no JSON object is left as it
 * is: rejects with a CliError that says where it is broken.
 */
export async function editJsonc(
  file: string,
  { fresh, shared }: { readonly fresh: string; readonly shared: boolean },
  change: (text: string, jsonc: JsoncParser) => string,
): Promise<boolean> {
  const jsonc = await import("jsonc-parser");
  const changed = (content: string | undefined): string | null => {
    const whole = content ?? fresh;
    const text = withoutMark(whole);
    parsedObject(jsonc, file, text);
    const made = change(text, jsonc);
    if (content !== undefined && made === text) return null;
    return whole.slice(0, whole.length - text.length) + made;
  };
  return changePrivateFile(file, readText, changed, { shared });
}

function parsedObject(jsonc: JsoncParser, file: string, text: string): Node {
  const errors: import("jsonc-parser").ParseError[] = [];
  const root = jsonc.parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (root?.type === "object" && first === undefined) return root;
  const before = text.slice(0, first?.offset ?? 0).split("\n");
  throw new CliError(
    "broken_settings",
    `${file}:${before.length}:${before.at(-1)!.length + 1} is no JSON object${first === undefined ? "" : ` (${jsonc.printParseErrorCode(first.error)})`}`,
    "correct it, or move it away; it was not changed",
  );
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/u, "");
}

/** Bytes that are no UTF-8 would be lost when the file is written. */
function readText(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = bytesOf(path);
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new CliError(
    "broken_settings",
    `${path} is not UTF-8`,
    "save it as UTF-8, or move it away; it was not changed",
  );
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    // Some failures name no file.
    throw Object.assign(error as Error, { path });
  }
}
