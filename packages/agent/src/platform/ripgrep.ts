import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { writeFileAtomic } from "./atomic-file.ts";
import { ensurePrivateFolder } from "./private-folder.ts";

const NAME = process.platform === "win32" ? "rg.exe" : "rg";

/**
 * Finds ripgrep: the one inside our executable (unpacked once into `cacheFolder`), else the one of the npm package, else `rg`
 * on the PATH. Null when there is none; searching then falls back to the built-in engine.
 */
export async function findRipgrep(cacheFolder: string): Promise<string | null> {
  return (await unpackEmbedded(cacheFolder)) ?? fromPackage() ?? Bun.which("rg");
}

async function unpackEmbedded(cacheFolder: string): Promise<string | null> {
  const embedded = Bun.embeddedFiles.find((file) => /(^|[/\\])rg(\.exe)?$/.test((file as File).name));
  if (!embedded) return null;
  const folder = join(cacheFolder, "bin");
  const path = join(folder, `rg-15.0.0-${embedded.size}${process.platform === "win32" ? ".exe" : ""}`);
  if (existsSync(path)) return path;
  try {
    ensurePrivateFolder(cacheFolder);
    ensurePrivateFolder(folder);
    writeFileAtomic(path, new Uint8Array(await embedded.arrayBuffer()), { mode: 0o700, durable: false });
    return path;
  } catch {
    return null; // a read-only home: another ripgrep or the built-in engine will do
  }
}

function fromPackage(): string | null {
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  const places = createRequire(import.meta.url).resolve.paths(name) ?? [];
  return places.map((place) => join(place, name, "bin", NAME)).find((path) => existsSync(path)) ?? null;
}
