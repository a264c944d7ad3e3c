import { createRequire } from "node:module";
import { join } from "node:path";
import { readSmallFile } from "../../../platform/read-small-file.ts";
import type { ExtensionEntry } from "../load/extension-entry.ts";
import { knowCode } from "../load/running-extension.ts";
import {
  type CompiledPlace,
  type CompiledSet,
  installedEntries,
  isCurrent,
  packageFolder,
  setName,
} from "./compiled-set.ts";
import { addModules, type ModuleCode } from "./module-registry.ts";

/** A description of a set is some hundred bytes a module. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The installed extensions that were asked for first; null before, and when they are compiled. */
let missing: readonly ExtensionEntry[] | null = null;
let asked = false;

/** The extensions that a later start would find compiled if they were compiled now; none when they are, or none is installed. */
export function missingCompiled(): readonly ExtensionEntry[] {
  return missing ?? [];
}

/**
 * Makes the compiled modules of the installed ones of these extensions known, when all that they were made of is as it was. The first call
 * in a process decides: what is loaded as it is cannot be exchanged afterwards. Never throws.
 */
export function openCompiled(
  entries: readonly ExtensionEntry[],
  place: CompiledPlace,
  host: (name: string) => Record<string, unknown> | undefined,
): void {
  if (asked) return;
  const installed = installedEntries(entries);
  if (installed.length === 0) return;
  asked = true;
  missing = installed;
  try {
    const text = readSmallFile(join(place.folder, `${setName(installed, place.program)}.json`), MOST_BYTES);
    const set = JSON.parse(text) as CompiledSet;
    if (!isCurrent(set, place.program)) return;
    const load = createRequire(import.meta.url);
    const code = set.code.map(({ file: [path], late }) => {
      const read = () => load(path) as ModuleCode[];
      const all = late ? null : read();
      return () => all ?? read();
    });
    for (const [named, real] of set.entries)
      for (const { file, base } of set.code)
        if (base !== null && base === packageFolder(real))
          knowCode(file[0], installed.find((entry) => entry.file === named)!.base);
    addModules(
      set.modules.map((module) => [module, () => code[module.code]!()[module.at]!]),
      host,
    );
    missing = null;
  } catch {
    // Not there, not ours to read, or cut short: the extensions load as they are.
  }
}
