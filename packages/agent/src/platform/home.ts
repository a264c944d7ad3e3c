import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { PiError } from "../contract/errors.ts";

/** The name that the one list of secret files knows: no tool shows such a file, wherever the state folder lies. */
export const LOGIN_FILE = "credentials.json";

/** Where the product keeps a user's state; contract: `~/.pi-go`, moved by `PI_HOME`. Nothing is created here. */
export interface HomeFolders {
  /** The user's own home folder. */
  user: string;
  root: string;
  config: string;
  environmentFile: string;
  /** Logins of model services: a folder for each, with a {@link LOGIN_FILE}. */
  logins: string;
  sessions: string;
  logs: string;
  usage: string;
  trust: string;
  /** Earlier prompts. */
  history: string;
  cache: string;
}

/**
 * The folders for an environment. `PI_HOME` may be relative (to the current folder) or begin with `~/`, and is made absolute. A `HOME`
 * that is not absolute is refused (PiError `home_invalid`, exit code 2): state must not land in whatever folder pi was started in.
 */
export function homeFolders(environment: Readonly<Record<string, string | undefined>>): HomeFolders {
  const user = environment["HOME"] || homedir();
  if (!isAbsolute(user))
    throw new PiError({
      code: "home_invalid",
      message: `HOME is "${user}", which is not an absolute path`,
      hint: "Set HOME to your home folder.",
      exitCode: 2,
    });
  const moved = environment["PI_HOME"]?.trim() ?? "";
  const root = moved === "" ? join(user, ".pi-go") : resolve(moved.replace(/^~(?=$|[/\\])/, () => user));
  return {
    user,
    root,
    config: join(root, "config.json"),
    environmentFile: join(root, ".env"),
    logins: join(root, "login"),
    sessions: join(root, "sessions"),
    logs: join(root, "log"),
    usage: join(root, "usage.json"),
    trust: join(root, "trust.json"),
    history: join(root, "history.jsonl"),
    cache: join(root, "cache"),
  };
}
