import type { Diff } from "@agentclientprotocol/sdk";
import type { JsonObject } from "../../contract/json.ts";
import type { AssistantMessage, ToolCallPart } from "../../contract/messages.ts";
import { editorPath, type SessionFolder } from "./session-folder.ts";
import { filePath } from "./tool-call-view.ts";

/** The text of a file: null when there is no such file, undefined when it cannot be shown (too large, binary, no plain file). */
export type ReadText = (path: string) => string | null | undefined;

/** The tools whose calls replace the content of a file. */
const CHANGING: ReadonlySet<string> = new Set(["write", "edit"]);

/**
 * What calls do to files, as the text before and after. A call is told of when it is already running: so the text before is read when
 * the answer with the call is stored, which is before any of its calls begins.
 */
export class FileChanges {
  readonly #folder: SessionFolder;
  readonly #read: ReadText;
  readonly #before = new Map<string, { path: string; text: string | null }>();

  constructor(folder: SessionFolder, read: ReadText) {
    this.#folder = folder;
    this.#read = read;
  }

  /** Reads the files that the calls of an answer will change; called before one of them begins. */
  expect({ parts }: AssistantMessage): void {
    this.#before.clear();
    const calls = parts.filter(
      (part): part is ToolCallPart => part.type === "tool_call" && CHANGING.has(part.name),
    );
    const paths = calls.map((call) => this.#path(call.arguments));
    for (const [index, call] of calls.entries()) {
      const path = paths[index];
      // Of two calls on one file the second may be through before the first is told of.
      if (path === undefined || paths.filter((other) => other === path).length > 1) continue;
      const text = this.#read(path);
      if (text !== undefined) this.#before.set(call.id, { path, text });
    }
  }

  /** What a call is about to do, for the question whether it may. */
  proposed(name: string, input: JsonObject): Diff[] {
    if (!CHANGING.has(name)) return [];
    const path = this.#path(input);
    if (path === undefined) return [];
    if (name === "edit") return replacements(path, input);
    const text = this.#read(path);
    const content = input["content"];
    return text === undefined || typeof content !== "string"
      ? []
      : [{ path, oldText: text, newText: content }];
  }

  /** What a call that went well has done. */
  done(id: string, name: string, input: JsonObject, details: JsonObject): Diff[] {
    if (!CHANGING.has(name)) return [];
    const before = this.#before.get(id);
    this.#before.delete(id);
    const path = this.#path(input);
    const after = before !== undefined && before.path === path ? this.#read(path) : undefined;
    if (before !== undefined && typeof after === "string")
      return after === before.text ? [] : [{ path: before.path, oldText: before.text, newText: after }];
    return path === undefined ? [] : told(name, path, input, details);
  }

  #path(input: JsonObject): string | undefined {
    const given = filePath(input);
    return given === undefined ? undefined : editorPath(given, this.#folder);
  }
}

/** What a call of the past has done, as far as its own words tell. */
export function pastChange(
  name: string,
  input: JsonObject,
  details: JsonObject,
  folder: SessionFolder,
): Diff[] {
  const given = filePath(input);
  return given === undefined || !CHANGING.has(name)
    ? []
    : told(name, editorPath(given, folder), input, details);
}

function told(name: string, path: string, input: JsonObject, details: JsonObject): Diff[] {
  if (name === "edit") return replacements(path, input);
  const content = input["content"];
  // What a file held before it was replaced is not known any more.
  return typeof content === "string" && details["created"] === true
    ? [{ path, oldText: null, newText: content }]
    : [];
}

function replacements(path: string, input: JsonObject): Diff[] {
  const steps = [input, ...(Array.isArray(input["edits"]) ? input["edits"] : [])];
  return steps.flatMap((step) => {
    const { old_string: old, new_string: replacement } = step as JsonObject;
    return typeof old === "string" && typeof replacement === "string"
      ? [{ path, oldText: old === "" ? null : old, newText: replacement }]
      : [];
  });
}
