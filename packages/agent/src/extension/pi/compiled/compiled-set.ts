import { realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import type { ExtensionEntry } from "../load/extension-entry.ts";

/** A file or folder as it was: its path, size, change times in milliseconds and number. */
export type SeenFile = readonly [path: string, size: number, mtimeMs: number, ctimeMs: number, inode: number];

/** What an import leads to: an absolute path, or the name of a module of ours (`host`), of the runtime (`native`) or of nothing (`missing`). */
export type ModuleReference = readonly [
  target: string,
  kind: "module" | "commonjs" | "json" | "host" | "native" | "missing",
];

/** A compiled module. Its imports have numbers; `order` are those whose code runs before its own. */
export interface CompiledModule {
  readonly path: string;
  /** The number of its code file, and its place there. */
  readonly code: number;
  readonly at: number;
  readonly references: readonly ModuleReference[];
  readonly order: readonly number[];
}

/** A file with code of modules. */
export interface CompiledCode {
  readonly file: SeenFile;
  readonly bytecode: SeenFile;
  /** The folder of the extension's package that it is from; null: packages that extensions depend on. */
  readonly base: string | null;
  /** Nothing in it runs while extensions load. */
  readonly late: boolean;
}

/** The extensions that were compiled together, and what has to be as it was for that to be used. */
export interface CompiledSet {
  /** The program that made it, and that alone may use it. */
  readonly program: string;
  /** The extensions' files, as they were named, with where that led to. */
  readonly entries: readonly (readonly [named: string, real: string])[];
  /** Every file that was read, every `package.json` that said where an import leads, and the folders they are in. */
  readonly inputs: readonly SeenFile[];
  /** What would be found first if it were there. */
  readonly absent: readonly string[];
  /** Links in `node_modules`, and what they lead to. */
  readonly links: readonly (readonly [link: string, target: string])[];
  readonly code: readonly CompiledCode[];
  readonly modules: readonly CompiledModule[];
  /** When this set and those of its name before it were made, in milliseconds; the last ones. */
  readonly made: readonly number[];
  /** Extensions that load as they are, and why. */
  readonly refused: readonly (readonly [file: string, why: string])[];
}

/** Where compiled extensions lie and which program may use them; see {@link CompiledSet}. */
export interface CompiledPlace {
  readonly folder: string;
  readonly program: string;
}

const INSTALLED = `${sep}node_modules${sep}`;

/** The folder of the installed package that a real path lies in; null for a file that npm has not put there. */
export function packageFolder(path: string): string | null {
  const at = path.lastIndexOf(INSTALLED);
  if (at < 0) return null;
  const [first = "", second = ""] = path.slice(at + INSTALLED.length).split(sep);
  const name = first.startsWith("@") ? `${first}${sep}${second}` : first;
  // `node_modules/.pnpm` and the like hold packages and are none.
  return name.startsWith(".") ? null : path.slice(0, at + INSTALLED.length) + name;
}

/** The entries that npm has installed: their files do not change while somebody works on them. What a project brings is not among them. */
export function installedEntries(entries: readonly ExtensionEntry[]): ExtensionEntry[] {
  return entries.filter(({ file, scope }) => {
    if (scope === "project") return false;
    const real = realPath(file);
    return real !== null && packageFolder(real) !== null;
  });
}

/** The name of a program's set of these entries in the cache. */
export function setName(entries: readonly Pick<ExtensionEntry, "file">[], program: string): string {
  const files = entries.map(({ file }) => file).sort();
  return Bun.hash([program, ...files].join("\0"))
    .toString(16)
    .padStart(16, "0");
}

/** What is at a path now; null when nothing is. */
export function seen(path: string): SeenFile | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : [path, stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino];
}

/** Where a path leads, or null. Never throws. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // it is gone: whoever loads it says so
    return null;
  }
}

/** Whether everything is as it was when the set was made. */
export function isCurrent(set: CompiledSet, program: string): boolean {
  return (
    set.program === program &&
    set.entries.every(([named, real]) => realPath(named) === real) &&
    set.inputs.every(isAsSeen) &&
    set.code.every(({ file, bytecode }) => isAsSeen(file) && isAsSeen(bytecode)) &&
    set.absent.every((path) => statSync(path, { throwIfNoEntry: false }) === undefined) &&
    set.links.every(([link, target]) => realPath(link) === target)
  );
}

function isAsSeen([path, ...then]: SeenFile): boolean {
  const now = seen(path);
  return now !== null && then.every((value, index) => now[index + 1] === value);
}
