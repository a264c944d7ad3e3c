import { existsSync } from "node:fs";
import { loadConfig } from "../../runtime/config/load-config.ts";
import type { MemoryConfig } from "../../runtime/config/memory-config.ts";
import { findPlaces } from "../../runtime/config/places.ts";
import type { openMemory } from "../../runtime/open-memory.ts";
import type { HostTrouble } from "../shared/host-guard.ts";
import { HostMemory } from "./host-memory.ts";
import { type PluginOptions, readPluginOptions } from "./plugin-options.ts";

export interface OpenedHostMemory {
  readonly memory: HostMemory;
  readonly config: MemoryConfig;
  readonly options: PluginOptions;
  /** There is something to recall from. Where there is nothing, no system text speaks of memories. */
  readonly mayRecall: boolean;
}

/** Puts memory together for one folder. No store is opened yet. */
export async function openHostMemory(about: {
  readonly directory: string;
  /** The options that stand beside the plugin. */
  readonly given: unknown;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default: the user's home folder. */
  readonly home?: string;
  readonly trouble: HostTrouble;
  readonly onNotice: (message: string, level: "info" | "warning") => void;
  readonly open?: typeof openMemory;
}): Promise<OpenedHostMemory> {
  const { directory, environment, home, trouble, onNotice, open } = about;
  const options = readPluginOptions(about.given);
  const { settings } = options;
  const places = findPlaces(environment, home);
  const sources = { places, environment, given: settings, projectRoot: undefined, ignoreFiles: false };
  const config = await loadConfig(sources);
  for (const problem of options.problems) onNotice(problem, "warning");
  const memory = new HostMemory({
    directory,
    places,
    config,
    settings,
    environment,
    trouble,
    onNotice: ({ level, message }) => onNotice(message, level),
    ...(open === undefined ? {} : { open }),
  });
  const { storage, providers } = config.settings;
  const mayRecall = storage.kind === "postgres" || providers.length > 0 || existsSync(storage.path);
  return { memory, config, options, mayRecall };
}
