import { realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isThisPackage } from "../package-folder.ts";

/** The file that Pi keeps its settings in. A relative path in the variable is taken from the home folder. */
export function piSettingsFile(
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const folder = environment["PI_CODING_AGENT_DIR"];
  if (folder === undefined || folder === "") return join(home, ".pi", "agent", "settings.json");
  return join(absolute(folder, home, home), "settings.json");
}

/** Where Pi's settings name a copy of this memory: as a package, or its file as an extension. Folders that are gone are none. */
export function registeredPlaces(
  settings: Readonly<Record<string, unknown>>,
  { home, base }: { readonly home: string; readonly base: string },
): string[] {
  const packages = texts(settings["packages"]).flatMap((entry) => {
    if (/^npm:agentic-remem(@|$)/.test(entry)) return [entry];
    const folder = absolute(entry, base, home);
    return isThisPackage(folder) ? [realpathSync(folder)] : [];
  });
  const extensions = texts(settings["extensions"]).flatMap((entry) => {
    const folder = resolve(absolute(entry, base, home), "..", "..", "..");
    return basename(entry) === "pi.js" && isThisPackage(folder) ? [realpathSync(folder)] : [];
  });
  return [...packages, ...extensions];
}

/** Entries may be texts or objects with a source. */
function texts(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    const source =
      typeof entry === "object" && entry !== null ? (entry as { source?: unknown }).source : entry;
    return typeof source === "string" ? [source] : [];
  });
}

function absolute(path: string, base: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(base, path);
}
