import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export interface MemoryPlaces {
  /** The database file of this agent's settings; where none is set, the one that all hosts of a user share. */
  readonly store: string;
  /** Observations of processes that ended before they were stored. */
  readonly outbox: string;
  /** The memory engine's own settings, shared by all hosts; they may name other stores. */
  readonly engineSettings: readonly string[];
}

export interface PlacesOptions {
  /** `memory.db_path`, an absolute path. */
  readonly configured: string | undefined;
  /** The global folder, `~/.pi-go`. */
  readonly root: string;
  /** The user's own home folder. */
  readonly user: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Where memories of a user may lie. Touches no file and loads no engine. */
export function memoryPlaces({ configured, root, user, environment }: PlacesOptions): MemoryPlaces {
  const store = configured ?? join(root, "memory", "claude-mem.db");
  const folder = (name: string, fallback: string): string => resolve(user, environment[name] || fallback);
  const own = environment["REMEM_CONFIG_DIR"];
  const folders =
    own === undefined || own === ""
      ? [
          join(folder("XDG_CONFIG_HOME", ".config"), "remem"),
          join(user, "Library", "Application Support", "Remem"),
          join(folder("APPDATA", join("AppData", "Roaming")), "Remem"),
        ]
      : [resolve(user, own)];
  return {
    store,
    outbox: join(dirname(store), "outbox"),
    engineSettings: folders.map((each) => join(each, "config.json")),
  };
}

/** Whether anything may be remembered: a look at the disk, so that a start without memories loads and opens nothing. */
export function mayHoldMemories(
  places: MemoryPlaces,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (existsSync(places.store) || (environment["REMEM_DATABASE_URL"] ?? "") !== "") return true;
  return places.engineSettings.some((file) => existsSync(file)) || hasOutbox(places);
}

/** Whether an earlier process has left observations that are not stored yet. */
function hasOutbox({ outbox }: MemoryPlaces): boolean {
  try {
    return readdirSync(outbox).length > 0;
  } catch {
    // It was never made.
    return false;
  }
}
