/** The files that a conversation read and changed, carried from one summary to the next by code and not by a model. */
import type { Message } from "../../contract/messages.ts";
import { fileUse, finishedCalls, type KindOf } from "./calls.ts";

export interface FileList {
  /** In the order of their last change, the latest last. */
  changed: readonly string[];
  /** Read and never changed, the latest last. */
  read: readonly string[];
}

const TITLE = "Files of the work so far (kept by the program, complete unless it says otherwise).";
const CHANGED = "Changed:";
const READ = "Read only:";
const ITEM = "- ";

/** The files of these messages: those that earlier summaries and notes of other branches list and those of the calls. */
export function filesIn(messages: readonly Message[], kindOf: KindOf): FileList {
  const changed = new Set<string>();
  const read = new Set<string>();
  const add = (set: Set<string>, path: string) => {
    set.delete(path);
    set.add(path);
  };
  for (const message of messages) {
    if (message.role !== "user") continue;
    if (message.origin !== "summary" && message.origin !== "branch_summary") continue;
    for (const part of message.parts) {
      if (part.type !== "text" || !isFileList(part.text)) continue;
      const listed = parseFileList(part.text);
      for (const path of listed.changed) add(changed, path);
      for (const path of listed.read) add(read, path);
    }
  }
  for (const finished of finishedCalls(messages)) {
    const use = fileUse(finished, kindOf);
    if (use) add(use.how === "read" ? read : changed, use.path);
  }
  return { changed: [...changed], read: [...read].filter((path) => !changed.has(path)) };
}

/** True for a text that {@link fileListText} made. */
export function isFileList(text: string): boolean {
  return text.startsWith(TITLE);
}

/** The list for the model; `mostTokens` bounds it, changed files and the latest first. Empty when there are none. */
export function fileListText(
  files: FileList,
  mostTokens: number,
  tokensOf: (text: string) => number,
): string {
  let left = mostTokens - tokensOf(TITLE);
  const section = (title: string, paths: readonly string[]): string[] => {
    const lines: string[] = [];
    for (const path of [...paths].reverse()) {
      const line = `${ITEM}${JSON.stringify(path)}`;
      const tokens = tokensOf(line) + 1;
      if (tokens > left) break;
      left -= tokens;
      lines.unshift(line);
    }
    const missing = paths.length - lines.length;
    if (missing > 0) lines.unshift(`(${missing} earlier ones are not listed)`);
    return lines.length === 0 ? [] : [title, ...lines];
  };
  const lines = [...section(CHANGED, files.changed), ...section(READ, files.read)];
  return lines.length === 0 ? "" : [TITLE, ...lines].join("\n");
}

function parseFileList(text: string): FileList {
  const changed: string[] = [];
  const read: string[] = [];
  let current = changed;
  for (const line of text.split("\n")) {
    if (line === CHANGED) current = changed;
    else if (line === READ) current = read;
    else if (line.startsWith(ITEM)) {
      const path = parsed(line.slice(ITEM.length));
      if (path !== undefined) current.push(path);
    }
  }
  return { changed, read };
}

function parsed(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    // no line of ours
    return undefined;
  }
}
