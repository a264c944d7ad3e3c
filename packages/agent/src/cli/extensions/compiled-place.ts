import { statSync } from "node:fs";
import { join } from "node:path";
import type { CompiledPlace } from "../../extension/pi/compiled/compiled-set.ts";
import type { HomeFolders } from "../../platform/home.ts";
import { BUILD, VERSION } from "../version.ts";

/** Set to `off`, it has all extensions load as they are. */
const SWITCH = "PI_EXTENSION_CACHE";

/**
 * Where this program keeps compiled extensions. Null where that is switched off, and from source: nothing then says whether what compiled
 * them is the same.
 */
export function compiledPlace(
  home: HomeFolders,
  environment: Readonly<Record<string, string | undefined>>,
): CompiledPlace | null {
  if (environment[SWITCH]?.trim().toLowerCase() === "off") return null;
  const own = statSync(process.execPath, { throwIfNoEntry: false });
  if (BUILD === "from source" || own === undefined) return null;
  const file = `${own.size} ${own.mtimeMs} ${own.ino}`;
  const program = `${VERSION} ${BUILD} Bun ${Bun.version} ${process.platform}-${process.arch} ${file}`;
  return { folder: join(home.cache, "extensions"), program };
}
