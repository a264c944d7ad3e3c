import { isAbsolute, relative, resolve, sep } from "node:path";
import type { FileDoor } from "../contract/files.ts";

type Matcher = (path: string) => boolean;

/** Throws an Error that says what is wrong with the glob of a rule such as `edit(src/**)`. */
export function checkPathPattern(glob: string): void {
  if (glob.startsWith("!")) throw new Error("a pattern cannot start with !; use another list instead");
  if (glob.includes("\0")) throw new Error("its pattern has a NUL character");
  if (glob.startsWith("~"))
    throw new Error("~ has no meaning here; write an absolute path with two slashes, //home/…");
  const segments = glob.split("/");
  if (segments.includes(".."))
    throw new Error("a pattern cannot hold ..; it counts from the project's folder, or from / with //");
  let open = false;
  for (let at = 0; at < glob.length; at++) {
    if (glob[at] === "\\") at++;
    else if (glob[at] === "[") open = true;
    else if (glob[at] === "]") open = false;
  }
  if (open) throw new Error("a [ is not closed; put a backslash before one that stands for itself");
}

/**
 * Globs of rules on files, as in `.gitignore`: without a slash a name at any depth, with one counted from the project's folder
 * (`//` from the root of the file system), `**` spans folders, and a folder means all that is in it. Paths are compared as
 * written and where they really lead.
 */
export interface PathPatterns {
  /** Whether a deny or ask rule catches a path: by any of its spellings, whatever the case of letters. */
  catches(glob: string, path: string): boolean;
  /**
   * Whether a path in which `*`, `?` and `[…]` stand, as a shell expands them, may become one that a deny or ask rule catches.
   * Where both leave a name open it is not counted: `*.md` would be caught by any rule with a `*`.
   */
  mayCatch(glob: string, shape: string): boolean;
  /** Whether an allow rule covers a path: where it really leads, with the case of letters. */
  covers(glob: string, path: string): boolean;
  /** Where a path really leads, relative to the project with `/`; null outside of it. */
  inProject(path: string): string | null;
}

/** Loads the matcher at its first use. */
export async function openPathPatterns(files: Pick<FileDoor, "root" | "key">): Promise<PathPatterns> {
  const { default: ignore } = await import("ignore");
  const matchers = new Map<string, Matcher>();

  function matcher(glob: string, anyCase: boolean): Matcher {
    const key = `${anyCase}:${glob}`;
    let known = matchers.get(key);
    if (!known) {
      const rules = ignore({ ignorecase: anyCase, allowRelativePaths: true });
      const pattern = glob.replace(/^[.]\/+/, "/").replace(/^\/\//, "/");
      rules.add(
        /^[#\s]|\s$/.test(pattern) ? pattern.replace(/^#/, "\\#").replace(/ (?=\s*$)/g, "\\ ") : pattern,
      );
      known = (path) => rules.ignores(path);
      matchers.set(key, known);
    }
    return known;
  }

  function test(glob: string, absolute: string, anyCase: boolean): boolean {
    const fromRoot = glob.startsWith("//");
    const path = fromRoot
      ? absolute.split(sep).join("/").replace(/^\/+/, "")
      : relative(files.root, absolute).split(sep).join("/");
    if (path === "") return /^(?:\.\/)?\/*\*{0,2}\/*$/.test(glob);
    if (!fromRoot && (path.startsWith("../") || path === ".." || isAbsolute(path))) return false;
    return matcher(glob, anyCase)(path);
  }

  return {
    catches(glob, path) {
      const spelled = resolve(files.root, path);
      return test(glob, spelled, true) || test(glob, files.key(path), true);
    },
    mayCatch(glob, shape) {
      const absolute = resolve(files.root, shape);
      const from = glob.startsWith("//") ? "/" : files.root;
      const names = relative(from, absolute).split(sep);
      const wanted = glob.split("/").filter((name) => name !== "" && name !== ".");
      const anywhere = !glob.replace(/\/$/, "").includes("/");
      return anywhere ? names.some((name) => nameMeets(glob, name)) : namesMeet(wanted, names);
    },
    covers: (glob, path) => test(glob, files.key(path), false),
    inProject(path) {
      const inside = relative(files.root, files.key(path)).split(sep).join("/");
      return inside.startsWith("../") || inside === ".." || isAbsolute(inside) ? null : inside;
    },
  };
}

/** Whether names of a path may be those of a glob or lie in the folder that it names. */
function namesMeet(wanted: readonly string[], names: readonly string[]): boolean {
  const [first, ...rest] = wanted;
  if (first === undefined) return true;
  if (names.length === 0) return false;
  if (first === "**") return rest.length === 0 || names.some((_, at) => namesMeet(rest, names.slice(at)));
  return nameMeets(first, names[0]!) && namesMeet(rest, names.slice(1));
}

function nameMeets(wanted: string, name: string): boolean {
  if (OPEN.test(wanted)) return !OPEN.test(name) && expressionOf(wanted).test(name);
  return expressionOf(name).test(wanted.replaceAll("\\", ""));
}

const OPEN = /[*?[]/;

/** What a name with `*`, `?` and `[…]` may be. Of a bracket any one character is assumed. */
function expressionOf(name: string): RegExp {
  const source = name
    .replace(/\[[^\]]+\]/g, "?")
    .replace(/[\\^$.+()[\]{}|/-]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "is");
}
