import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** Where the product keeps a user's state; contract: `~/.pi-go`, moved by `PI_HOME`. Nothing is created here. */
export interface HomeFolders {
  /** The user's own home folder. */
  user: string;
  root: string;
  config: string;
  environmentFile: string;
  sessions: string;
  logs: string;
  usage: string;
  trust: string;
  cache: string;
}

/** The folders for an environment. `PI_HOME` may be relative (to the current folder) and is made absolute. */
export function homeFolders(environment: Readonly<Record<string, string | undefined>>): HomeFolders {
  const user = environment["HOME"] || homedir();
  const moved = environment["PI_HOME"];
  const root = moved ? (isAbsolute(moved) ? moved : resolve(moved)) : join(user, ".pi-go");
  return {
    user,
    root,
    config: join(root, "config.json"),
    environmentFile: join(root, ".env"),
    sessions: join(root, "sessions"),
    logs: join(root, "log"),
    usage: join(root, "usage.json"),
    trust: join(root, "trust.json"),
    cache: join(root, "cache"),
  };
}
