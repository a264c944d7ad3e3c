import { setPriority } from "node:os";
import { compileExtensions } from "../../extension/pi/compiled/build/compile-extensions.ts";
import { packageFolder, realPath } from "../../extension/pi/compiled/compiled-set.ts";
import { isFolder, readPackage } from "../../extension/pi/load/package-manifest.ts";
import { isVirtualModule } from "../../extension/pi/load/virtual-modules.ts";
import type { Place } from "../place.ts";
import { compiledPlace } from "./compiled-place.ts";

/** What compiling may take. */
const MOST_MS = 60_000;

/**
 * Runs this process as the helper that compiles installed extensions for the next start: `paths` are their modules, or folders of their packages. It says nothing and
 * takes what others leave of the processor. Returns the exit code: 1 when nothing could be written, or may be.
 */
export async function runCompile(
  paths: readonly string[],
  { home, environment }: Place,
  signal: AbortSignal,
): Promise<number> {
  const place = compiledPlace(home, environment);
  if (place === null) return 1;
  // The compiler cannot be told to stop.
  signal.addEventListener("abort", () => process.exit(1));
  setTimeout(() => process.exit(1), MOST_MS).unref();
  try {
    setPriority(19);
  } catch {
    // not everywhere
  }
  try {
    const files = paths.flatMap((path) => (isFolder(path) ? readPackage(path).modules : [path]));
    const entries = files.map((file) => {
      const base = packageFolder(realPath(file) ?? file) ?? file;
      return { file, base, name: file, scope: "user", source: "local", origin: "package" } as const;
    });
    await compileExtensions(entries, place, isVirtualModule);
    return 0;
  } catch {
    // The extensions load as they are, now as before.
    return 1;
  }
}
