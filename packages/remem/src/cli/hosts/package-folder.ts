import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NAME = "agentic-remem";

/**
 * The folder of this package: that of the source or of the bundle (`dist/lib/`) which runs, else the one beside the executable that was
 * built from it. Undefined where none is there.
 */
export function packageFolder(
  source: string = fileURLToPath(import.meta.url),
  executable: string = process.execPath,
): string | undefined {
  const places = [
    join(dirname(source), "..", "..", ".."),
    join(dirname(source), "..", ".."),
    join(dirname(executable), "..", "packages", "remem"),
  ];
  return places.find(isThisPackage);
}

/** Whether a folder holds a copy of this package. */
export function isThisPackage(folder: string): boolean {
  try {
    const { name }: { name?: unknown } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return name === NAME;
  } catch {
    // No such folder, or none of a package.
    return false;
  }
}

/** The built extension of a host in a copy of this package; undefined when it was not built. */
export function builtExtension(folder: string, file: string): string | undefined {
  const path = join(folder, "dist", "hosts", file);
  return existsSync(path) ? path : undefined;
}
