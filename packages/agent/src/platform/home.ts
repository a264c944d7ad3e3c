import { homedir, userInfo } from "node:os";
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

/**
 * The folders for an environment. `PI_HOME` may be relative (to the current folder) or begin with `~/`, and is made absolute. A `HOME`
 * that is not absolute counts as not set: state must not land in whatever folder a command was given in.
 */
export function homeFolders(environment: Readonly<Record<string, string | undefined>>): HomeFolders {
  const given = environment["HOME"] ?? "";
  const user = isAbsolute(given) ? given : accountHome();
  const moved = environment["PI_HOME"]?.trim() ?? "";
  const root = moved === "" ? join(user, ".pi-go") : resolve(moved.replace(/^~(?=$|[/\\])/, () => user));
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

/** The account's home folder as the system has it; `homedir()` alone would give HOME back as it is. */
function accountHome(): string {
  try {
    const { homedir: home } = userInfo();
    if (isAbsolute(home)) return home;
  } catch {
    // no entry for this user (a container)
  }
  return resolve(homedir() || "/");
}
