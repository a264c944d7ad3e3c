import type { ToolInput } from "../observation.ts";

/** What a tool does, as far as its name tells, over hosts. */
export type ToolRole = "edit" | "run" | "inspect" | "memory" | "other";

const ROLES: readonly (readonly [ToolRole, RegExp])[] = [
  ["memory", /(^|__|[-_.])(mem|memory|remem|recall)([-_.]|$)/iu],
  ["edit", /^(write|edit|multi-?edit|apply_?patch|patch|str_?replace.*|create_?file|notebook-?edit)$/iu],
  ["run", /^(bash|shell|exec|execute|run|terminal|command|run_?command|execute_?command)$/iu],
  [
    "inspect",
    /^(read|grep|find|ls|tree|glob|list|view|search|web-?(fetch|search)|git-.*|lsp-.*|bash-output)$/iu,
  ],
];

export function toolRole(tool: string): ToolRole {
  return ROLES.find(([, pattern]) => pattern.test(tool))?.[0] ?? "other";
}

const PATH_ARGUMENTS = ["file_path", "filePath", "path", "file", "filename", "notebook_path"];
const MOST_PATHS = 8;

/** The paths of a call: those the host names, else its usual arguments. */
export function callPaths({ paths, input }: Pick<ToolInput, "paths" | "input">): string[] {
  const named = PATH_ARGUMENTS.map((name) => input[name]).filter((value) => typeof value === "string");
  return [...new Set([...(paths ?? []), ...named])].filter((path) => path !== "");
}

/** The first few paths, for a note. */
export function notedPaths(paths: readonly string[]): string[] {
  return paths.slice(0, MOST_PATHS);
}

/** The command line of a call that runs something. */
export function callCommand(input: Readonly<Record<string, unknown>>): string {
  const command = input["command"] ?? input["cmd"] ?? input["script"];
  if (typeof command === "string") return command;
  return Array.isArray(command) ? command.filter((word) => typeof word === "string").join(" ") : "";
}
