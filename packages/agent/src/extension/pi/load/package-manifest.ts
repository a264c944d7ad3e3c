import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join, resolve, sep } from "node:path";
import { errorMessage } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { readSmallFile } from "../../../platform/read-small-file.ts";

/** What a folder brings, by its `package.json` (`pi: {extensions, skills, prompts}`) or by the usual names of its folders. Paths are absolute and exist. */
export interface PackageContents {
  readonly name: string;
  readonly modules: readonly string[];
  readonly skills: readonly string[];
  readonly prompts: readonly string[];
  readonly problems: readonly string[];
  /** It has a manifest or one of the usual folders, so that it is a package and no folder of single modules. */
  readonly isPackage: boolean;
}

/** Whether a file of this name can be a module. */
export function isModule(name: string): boolean {
  return /\.(?:ts|mts|js|mjs|cjs)$/.test(name) && !/\.d\.m?ts$/.test(name);
}

/** Reads what `folder` brings. A path of the manifest that leads out of the folder, or nowhere, is a problem and is left out. */
export function readPackage(folder: string): PackageContents {
  const problems: string[] = [];
  const manifest = readManifest(folder, problems);
  const pi = manifest?.["pi"];
  const name = typeof manifest?.["name"] === "string" ? manifest["name"] : basename(folder);
  if (isJsonObject(pi)) {
    const listed = (key: string) => pathsOf(pi[key], key, folder, name, problems);
    return {
      name,
      modules: listed("extensions").flatMap(modulesAt),
      skills: listed("skills"),
      prompts: listed("prompts"),
      problems,
      isPackage: true,
    };
  }
  const own = (key: string) => [join(folder, key)].filter(isFolder);
  const index = indexOf(folder);
  const extensions = own("extensions");
  return {
    name,
    modules: index === null ? extensions.flatMap(modulesAt) : [index],
    skills: own("skills"),
    prompts: own("prompts"),
    problems,
    isPackage: index !== null || extensions.length > 0 || manifest !== null,
  };
}

/** The modules at a path: the file itself; of a folder its `index`, else every module and every folder with an `index` or a manifest in it. */
export function modulesAt(path: string): string[] {
  if (!isFolder(path)) return [path];
  const index = indexOf(path);
  if (index !== null) return [index];
  return entriesOf(path).flatMap((name) => {
    const each = join(path, name);
    if (!isFolder(each)) return isModule(name) ? [each] : [];
    return indexOf(each) ?? [];
  });
}

/** The names in a folder in a fixed order, without hidden ones; none when it cannot be read. */
export function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith(".") && name !== "node_modules")
      .sort();
  } catch {
    // unreadable for us: nothing in it can be loaded either
    return [];
  }
}

/** Whether there is a folder at this path. Never throws: a link that leads to itself, or through a closed folder, leads to none. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

function indexOf(folder: string): string | null {
  for (const name of ["index.ts", "index.js", "index.mjs"]) {
    const file = join(folder, name);
    if (existsSync(file)) return file;
  }
  return null;
}

function readManifest(folder: string, problems: string[]): JsonObject | null {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return null;
  try {
    const value: unknown = JSON.parse(readSmallFile(file));
    if (isJsonObject(value)) return value;
    problems.push(`${file} is no JSON object`);
  } catch (thrown) {
    problems.push(`${file} cannot be read: ${errorMessage(thrown)}`);
  }
  return null;
}

function pathsOf(value: unknown, key: string, folder: string, name: string, problems: string[]): string[] {
  if (value === undefined) return [];
  const listed = Array.isArray(value) ? value : [value];
  const paths: string[] = [];
  for (const each of listed) {
    if (typeof each !== "string") continue;
    for (const path of expanded(folder, each)) {
      if (path !== folder && !path.startsWith(folder + sep))
        problems.push(`${name}: "${each}" in pi.${key} lies outside of the package`);
      else if (existsSync(path)) paths.push(path);
      else problems.push(`${name}: "${each}" in pi.${key} does not exist`);
    }
  }
  return paths;
}

/** A path of a manifest may be a glob. */
function expanded(folder: string, path: string): string[] {
  if (!/[*?[{]/.test(path)) return [resolve(folder, path)];
  return [...new Bun.Glob(path.replace(/^\.\//, "")).scanSync({ cwd: folder, onlyFiles: false })]
    .sort()
    .map((each) => resolve(folder, each));
}
