import type { PendingCall } from "../../contract/callbacks.ts";

/** One entry of a hook's `tools`: a tool by name or glob, perhaps on certain files only. */
export interface ToolMatcher {
  /** Matches the whole name, whatever the case of letters. */
  name: RegExp;
  /** A glob for the file that the call is about. */
  path?: string;
}

const FORM = /^([^\s()]+)(?:\(([\s\S]*)\))?$/;
/** Where tools have the file that they are about. */
const PATH_INPUTS = ["file_path", "path", "file"] as const;

/**
 * Reads `edit`, `mcp__*` or `edit(src/**)`. With a problem the matcher stands for the whole tool, or for every tool where even the
 * name cannot be read.
 */
export function parseToolMatcher(
  given: string,
  checkPath: (glob: string) => void,
): { matcher: ToolMatcher; problem?: string } {
  const text = given.trim();
  const [, name, path] = FORM.exec(text) ?? [];
  if (name === undefined) {
    const problem = `${JSON.stringify(given)} is not of the form tool or tool(path), such as edit(src/**); it counts for every tool`;
    return { matcher: { name: /^/ }, problem };
  }
  const matcher = { name: nameExpression(name) };
  if (path === undefined) return { matcher };
  const wrong = pathProblem(name, path.trim(), checkPath);
  if (wrong === undefined) return { matcher: { ...matcher, path: path.trim() } };
  return { matcher, problem: `${JSON.stringify(given)}: ${wrong}; it counts for all calls of ${name}` };
}

function pathProblem(name: string, path: string, checkPath: (glob: string) => void): string | undefined {
  if (path === "") return "its path is empty";
  if (name.toLowerCase() === "bash") return "bash is about no file; let the hook look at the command";
  try {
    checkPath(path);
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
  return undefined;
}

/** Whether a hook with these entries is for this call; no entries are for every call. */
export function matchesCall(
  matchers: readonly ToolMatcher[],
  call: Pick<PendingCall, "name" | "input">,
  onPath: (glob: string, path: string) => boolean,
): boolean {
  if (matchers.length === 0) return true;
  return matchers.some(({ name, path }) => {
    if (!name.test(call.name)) return false;
    return path === undefined || onPath(path, pathOf(call));
  });
}

/** The file that a call is about, as written; a call that names none is about the project's folder. */
export function pathOf({ input }: Pick<PendingCall, "input">): string {
  for (const key of PATH_INPUTS) {
    const value = input[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return ".";
}

/** `*` stands for any characters, `?` for one. */
function nameExpression(name: string): RegExp {
  const escaped = name.replace(/[\\^$.+()[\]{}|/-]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "i");
}
