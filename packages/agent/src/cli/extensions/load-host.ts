import { SLASH_INFOS } from "../../commands/slash/slash-infos.ts";
import { ExtensionHost } from "../../extension/pi/host/extension-host.ts";
import type { ExtensionEntry, FoundExtensions } from "../../extension/pi/load/extension-entry.ts";
import { findExtensions } from "../../extension/pi/load/find-extensions.ts";
import { systemClock } from "../../platform/clock.ts";
import type { HomeFolders } from "../../platform/home.ts";
import type { AppParts } from "../app-parts.ts";
import type { Flags } from "../flags.ts";
import type { Settings } from "../run-setup.ts";
import { compiledPlace } from "./compiled-place.ts";
import { piFolder } from "./pi-folder.ts";

/** What says where extensions are. */
export interface ExtensionPlaces extends Pick<AppParts, "flags" | "home" | "environment" | "cwd"> {
  settings: Pick<Settings, "config" | "project" | "trusted">;
}

/** What the extensions of this run are found by; also for `pi doctor`. */
export function foundExtensions(parts: ExtensionPlaces): FoundExtensions {
  const { flags, settings, home, cwd } = parts;
  const { config, project, trusted } = settings;
  return findExtensions({
    given: flags.extensions,
    cwd,
    modules: config.extensions,
    packages: config.packages,
    places: {
      root: home.root,
      agent: piFolder(parts),
      userHome: home.user,
      project: trusted ? project.folder : null,
    },
  });
}

/** Loads them side by side into a host of their own. Never rejects for a fault of theirs: that is told. */
export function loadHost(
  entries: readonly ExtensionEntry[],
  options: {
    flags: Flags;
    mode: string;
    tell(level: "info" | "warning", message: string): void;
    /** Modules that were loaded before are read anew. */
    fresh: boolean;
    home: HomeFolders;
    environment: Readonly<Record<string, string | undefined>>;
  },
): Promise<ExtensionHost> {
  const { flags, mode, tell, fresh, home, environment } = options;
  return ExtensionHost.load(entries, {
    flagValues: flagValues(flags.extensionFlags),
    clock: systemClock,
    allowsTool: (name) => (flags.tools?.includes(name) ?? true) && !flags.excludeTools.includes(name),
    reserved: new Set(SLASH_INFOS.flatMap(({ name, aliases }) => [name, ...aliases])),
    fresh,
    compiled: compiledPlace(home, environment),
    tell,
    print: mode === "interactive" ? null : (text) => void process.stderr.write(text),
  });
}

/** `name`, `name=value`. */
function flagValues(given: readonly string[]): ReadonlyMap<string, string | boolean> {
  return new Map(
    given.map((word): [string, string | boolean] => {
      const at = word.indexOf("=");
      return at < 0 ? [word, true] : [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}
