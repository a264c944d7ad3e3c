import { copyFileSync, linkSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ensurePrivateFolder } from "../../platform/private-folder.ts";
import { CHECKPOINT_FOLDER } from "./recorder.ts";

/** Gives the session in folder `to` the contents that the one in `from` has kept; what cannot be copied is told of when it is needed. */
export function copyCheckpoints(from: string, to: string): void {
  const [source, target] = [join(from, CHECKPOINT_FOLDER), join(to, CHECKPOINT_FOLDER)];
  let names: string[];
  try {
    names = readdirSync(source).filter((name) => /^[0-9a-f]{64}$/.test(name));
  } catch {
    // nothing was ever kept
    return;
  }
  ensurePrivateFolder(target);
  for (const name of names)
    try {
      // They are never changed, so that one file serves both.
      linkSync(join(source, name), join(target, name));
    } catch {
      copyQuietly(join(source, name), join(target, name));
    }
}

function copyQuietly(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch {
    // a full disk: /rewind says that this content was not kept
  }
}
