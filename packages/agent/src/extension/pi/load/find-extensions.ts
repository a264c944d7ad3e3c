import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { realPath } from "../compiled/compiled-set.ts";
import type { ExtensionEntry, ExtensionScope, FoundExtensions } from "./extension-entry.ts";
import { entriesOf, isFolder, isModule, modulesAt, readPackage } from "./package-manifest.ts";
import { findPackage, type PackagePlaces, packagesOfPi } from "./pi-packages.ts";

/** Everything that may name an extension, in the order in which they are loaded. */
export interface ExtensionSources {
  /** `-e`: paths relative to `cwd`, or `npm:NAME` of an installed package. */
  readonly given: readonly string[];
  readonly cwd: string;
  /** The settings' `extensions`; absolute. */
  readonly modules: readonly string[];
  /** The settings' `packages`. */
  readonly packages: readonly string[];
  readonly places: PackagePlaces;
}

/** Finds all extensions. What does not exist is a problem with the way out, and stops nothing. A module that is named twice is loaded once. */
export function findExtensions(sources: ExtensionSources): FoundExtensions {
  const found = new Found();
  const { places } = sources;
  for (const spec of sources.given) found.given(spec, sources);
  if (places.project !== null) found.folder(join(places.project, "extensions"), "project");
  found.folder(join(places.root, "extensions"), "user");
  for (const path of sources.modules)
    if (existsSync(path)) found.path(path, "user", "local");
    else found.problems.push(`the extension ${path} of the settings does not exist`);
  for (const spec of [...sources.packages, ...packagesOfPi(places.agent)])
    found.package(spec, places, "user");
  const { entries, skills, prompts, problems } = found;
  return { entries, resources: { skills, prompts }, problems };
}

class Found {
  readonly entries: ExtensionEntry[] = [];
  readonly skills: string[] = [];
  readonly prompts: string[] = [];
  readonly problems: string[] = [];
  readonly #seen = new Set<string>();

  given(spec: string, { cwd, places }: ExtensionSources): void {
    const path = spec.startsWith("~/") ? join(places.userHome, spec.slice(2)) : resolve(cwd, spec);
    if (existsSync(path)) this.path(path, "temporary", "cli");
    else if (/^(?:npm|git):/.test(spec)) this.package(spec, places, "temporary");
    else this.problems.push(`the extension "${spec}" was not loaded: ${path} does not exist`);
  }

  /** A folder that is looked through: modules, folders with an `index`, and packages. */
  folder(folder: string, scope: ExtensionScope): void {
    for (const name of entriesOf(folder)) {
      const path = join(folder, name);
      if (isFolder(path)) this.#package(path, scope, "auto", "top-level");
      else if (!existsSync(path)) this.problems.push(`the extension ${path} is a link that leads nowhere`);
      else if (isModule(name)) this.#add(path, scope, "auto");
    }
  }

  path(path: string, scope: ExtensionScope, source: string): void {
    if (!isFolder(path)) {
      this.#add(path, scope, source);
      return;
    }
    const before = this.entries.length;
    this.#package(path, scope, source, "top-level");
    if (this.entries.length === before && this.skills.length + this.prompts.length === 0)
      this.problems.push(
        `the folder ${path} holds no extension: no index.ts, no extensions/ and no "pi" in a package.json`,
      );
  }

  package(spec: string, places: PackagePlaces, scope: ExtensionScope): void {
    const found = findPackage(spec, places);
    if ("missing" in found) this.problems.push(found.missing);
    else if (isFolder(found.folder)) this.#package(found.folder, scope, found.source, "package");
    else this.#add(found.folder, scope, found.source);
  }

  #package(folder: string, scope: ExtensionScope, source: string, origin: ExtensionEntry["origin"]): void {
    const { name, modules, skills, prompts, problems, isPackage } = readPackage(folder);
    const files = isPackage ? modules : modulesAt(folder);
    this.problems.push(...problems);
    this.skills.push(...skills);
    this.prompts.push(...prompts);
    for (const file of files)
      this.#push({
        file,
        name: files.length === 1 ? name : `${name} (${shortName(file)})`,
        base: folder,
        scope,
        source,
        origin,
      });
  }

  #add(file: string, scope: ExtensionScope, source: string): void {
    const inFolder = /^index\./.test(basename(file));
    this.#push({
      file,
      name: shortName(file),
      base: inFolder ? dirname(file) : file,
      scope,
      source,
      origin: "top-level",
    });
  }

  #push(entry: ExtensionEntry): void {
    const real = realPath(entry.file) ?? entry.file;
    if (this.#seen.has(real)) return;
    this.#seen.add(real);
    this.entries.push(entry);
  }
}

/** `plan` for `…/plan.ts` and for `…/plan/index.ts`. */
function shortName(file: string): string {
  const name = basename(file).replace(/\.[^.]*$/, "");
  return name === "index" ? basename(dirname(file)) : name;
}
