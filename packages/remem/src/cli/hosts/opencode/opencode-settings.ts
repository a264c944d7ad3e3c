import { existsSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readJsonc } from "../../init/edit-jsonc.ts";
import { isThisPackage } from "../package-folder.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Files that OpenCode reads in its folder; where several are there, a later one of these counts less. */
const FILES = ["opencode.jsonc", "opencode.json", "config.json"];

/** The folder of the user's settings of OpenCode; the same place on every system. */
export function opencodeFolder(home: string, environment: Environment): string {
  const base = environment["XDG_CONFIG_HOME"];
  return join(base === undefined || base === "" ? join(home, ".config") : resolve(home, base), "opencode");
}

/** The settings files that are there, the one that counts most first. */
export function settingsFiles(folder: string): string[] {
  return FILES.map((name) => join(folder, name)).filter((file) => existsSync(file));
}

/** The file that a plugin is put into: one that names plugins already, else the one that counts most, else a new one. Rejects with a CliError for a file that is broken. */
export async function fileForPlugins(folder: string): Promise<string> {
  const files = settingsFiles(folder);
  for (const file of files) if ((await readJsonc(file)).value?.["plugin"] !== undefined) return file;
  return files[0] ?? join(folder, "opencode.json");
}

/** What an entry of the list of plugins comes to. */
export interface PluginEntry {
  /** As it is written, without its options. */
  readonly written: string;
  /** The folder of a copy of this memory, or the entry itself where it comes from npm; undefined: another plugin. */
  readonly place: string | undefined;
  /** It names a copy of this memory that is not there any more. */
  readonly isGone: boolean;
}

const FROM_NPM = /^agentic-remem(@|$)/;
const OURS_BY_NAME = /(^|[\\/])(agentic-remem|packages[\\/]remem)([\\/]|$)/;

/** The plugins that stand in settings; relative paths start at the folder of the file. */
export function pluginEntries(settings: Readonly<Record<string, unknown>>, base: string): PluginEntry[] {
  const list = settings["plugin"];
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown): PluginEntry[] => {
    const written: unknown = Array.isArray(entry) ? entry[0] : entry;
    if (typeof written !== "string") return [];
    if (FROM_NPM.test(written)) return [{ written, place: written, isGone: false }];
    const path = pathOf(written, base);
    if (path === undefined) return [];
    if (!existsSync(path)) return [{ written, place: undefined, isGone: OURS_BY_NAME.test(path) }];
    const folder = statSync(path).isDirectory() ? path : resolve(path, "..", "..", "..");
    const place = isThisPackage(folder) ? realpathSync(folder) : undefined;
    return [{ written, place, isGone: false }];
  });
}

function pathOf(written: string, base: string): string | undefined {
  try {
    if (written.startsWith("file:")) return fileURLToPath(written);
  } catch {
    // No file of this system.
    return undefined;
  }
  return written.startsWith(".") || written.startsWith("/") || /^[A-Za-z]:[\\/]/.test(written)
    ? resolve(base, written)
    : undefined;
}
