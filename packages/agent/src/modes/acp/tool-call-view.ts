import type { ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import type { JsonObject } from "../../contract/json.ts";
import { inlineCode } from "./markdown.ts";
import { editorPath, projectPath, type SessionFolder } from "./session-folder.ts";

/** What an editor shows of a call before there is a result. */
export interface ToolCallView {
  kind: ToolKind;
  /** One line of Markdown. */
  title: string;
  /** Files that the call is about; absolute paths. */
  locations: ToolCallLocation[];
}

interface ToolWords {
  kind: ToolKind;
  verb: string;
  /** The argument that says what the call is about. */
  about?: string;
}

const WORDS: Readonly<Record<string, ToolWords>> = {
  read: { kind: "read", verb: "Read" },
  write: { kind: "edit", verb: "Write" },
  edit: { kind: "edit", verb: "Edit" },
  bash: { kind: "execute", verb: "", about: "command" },
  "bash-output": { kind: "execute", verb: "Output of", about: "id" },
  "bash-kill": { kind: "execute", verb: "End", about: "id" },
  grep: { kind: "search", verb: "Search", about: "pattern" },
  find: { kind: "search", verb: "Find", about: "pattern" },
  ls: { kind: "read", verb: "List" },
  tree: { kind: "read", verb: "Tree of" },
  "git-overview": { kind: "read", verb: "State of the git repository" },
  "git-file-diff": { kind: "read", verb: "Changes of" },
  "git-hunk": { kind: "read", verb: "Changes of" },
  "lsp-diagnostics": { kind: "search", verb: "Problems of" },
  "lsp-symbols": { kind: "search", verb: "Symbols of" },
  "lsp-definition": { kind: "search", verb: "Definition at" },
  "lsp-references": { kind: "search", verb: "References at" },
  "lsp-hover": { kind: "search", verb: "Description at" },
  "mem-search": { kind: "search", verb: "Remember", about: "query" },
  "mem-timeline": { kind: "search", verb: "Memory around", about: "anchor" },
  "mem-get": { kind: "search", verb: "Memories" },
  agent: { kind: "think", verb: "Subagent", about: "agent" },
};

/** Names under which models send the path of a file, ours first. */
const PATHS = ["file_path", "path", "file", "filename", "filepath"] as const;
/** Where a call of a tool of somebody else's may say what it is about. */
const TELLING = ["command", "pattern", "query", "url", "name", "id"] as const;
const MOST_TITLE = 160;

/** The view of a call; a tool that is not ours is shown by its name and its most telling argument. */
export function toolCallView(name: string, input: JsonObject, folder: SessionFolder): ToolCallView {
  const words = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  const path = words?.about === undefined ? filePath(input) : undefined;
  const line = lineOf(input);
  const where =
    path === undefined ? undefined : `${projectPath(path, folder)}${line === undefined ? "" : `:${line}`}`;
  const subject = where ?? text(input, words?.about === undefined ? TELLING : [words.about]);
  const verb = words?.verb ?? name;
  const shown = subject === undefined ? [] : [inlineCode(cut(subject))];
  const title = [...(verb === "" ? [] : [verb]), ...shown].join(" ");
  return {
    kind: words?.kind ?? "other",
    title: title === "" ? name : title,
    locations: path === undefined ? [] : [location(editorPath(path, folder), line)],
  };
}

/** The file that a call names, as it names it. */
export function filePath(input: JsonObject): string | undefined {
  return text(input, PATHS);
}

/** A place in a file; the line counts from 1. */
export function location(path: string, line: number | undefined): ToolCallLocation {
  return line === undefined ? { path } : { path, line };
}

function lineOf(input: JsonObject): number | undefined {
  const line = input["line"] ?? input["offset"];
  return typeof line === "number" && Number.isInteger(line) && line >= 1 ? line : undefined;
}

function text(input: JsonObject, names: readonly string[]): string | undefined {
  const name = names.find((each) => typeof input[each] === "string" && input[each] !== "");
  return name === undefined ? undefined : (input[name] as string);
}

function cut(subject: string): string {
  const characters = [...subject.slice(0, MOST_TITLE * 4)];
  return characters.length <= MOST_TITLE
    ? characters.join("")
    : `${characters.slice(0, MOST_TITLE - 1).join("")}…`;
}
