import { homedir } from "node:os";
import { join, resolve } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where settings and memories lie. */
export interface Places {
  readonly home: string;
  /** The user's settings of the memory engine, shared by all hosts. */
  readonly userConfig: string;
  /** The folder all hosts of a user share. */
  readonly globalFolder: string;
  readonly defaultStore: string;
}

/**
 * The places of a user on this system. A relative path in a variable is taken from the home folder, never from the current one; `~` is that
 * folder, as it is to pi, also where no shell has written it out.
 */
export function findPlaces(
  environment: Environment,
  home = homedir(),
  platform: NodeJS.Platform = process.platform,
): Places {
  const folder = (name: string): string | undefined => {
    const value = environment[name]?.trim() ?? "";
    return value === "" ? undefined : resolve(home, value.replace(/^~(?:[\\/]+|$)/, ""));
  };
  const globalFolder = folder("PI_HOME") ?? join(home, ".pi-go");
  const configFolder =
    folder("REMEM_CONFIG_DIR") ??
    (platform === "darwin"
      ? join(home, "Library", "Application Support", "Remem")
      : platform === "win32"
        ? join(folder("APPDATA") ?? join(home, "AppData", "Roaming"), "Remem")
        : join(folder("XDG_CONFIG_HOME") ?? join(home, ".config"), "remem"));
  return {
    home,
    userConfig: join(configFolder, "config.json"),
    globalFolder,
    defaultStore: join(globalFolder, "memory", "claude-mem.db"),
  };
}

/** The file in which a project narrows the user's settings. */
export function projectConfig(root: string): string {
  return join(root, ".pi-go", "memory.json");
}
