import { readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";

const PACKAGE = "@earendil-works/pi-coding-agent";
/** `dist/bundle/cli.js` lies two folders below the package, an executable in it. */
const MOST_LEVELS = 4;

/** Pi's version, from the package that this process was started from; null where it is started in another way. Pi itself tells no extension. */
export async function piVersion(script: string | undefined = process.argv[1]): Promise<string | null> {
  if (script === undefined) return null;
  try {
    let folder = dirname(await realpath(script));
    for (let level = 0; level < MOST_LEVELS; level++, folder = dirname(folder)) {
      const found = await packageAt(folder);
      if (found?.name === PACKAGE) return typeof found.version === "string" ? found.version : null;
    }
  } catch {
    // Started in a way that leaves no such file.
  }
  return null;
}

async function packageAt(folder: string): Promise<{ name?: unknown; version?: unknown } | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  } catch {
    // None here: the next folder up may have it.
    return undefined;
  }
}
