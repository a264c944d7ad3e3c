import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** The word vectors that come with this package; see assets/README.md. In an executable there is no such file, but what `readBundledVectors` finds. */
export const BUNDLED_VECTORS: string = fileURLToPath(new URL("../../assets/static-20k.bin", import.meta.url));

/** The bytes of the bundled word vectors: from the package's folder, else from inside the executable this was compiled into. */
export async function readBundledVectors(): Promise<Buffer> {
  try {
    return await readFile(BUNDLED_VECTORS);
  } catch (error) {
    const embedded = await embeddedPath();
    if (embedded === undefined) throw error;
    return readFile(embedded);
  }
}

/** Bun puts the file into an executable because of this import, and gives its path; other runtimes know no such import and never come here. */
async function embeddedPath(): Promise<string | undefined> {
  if (process.versions["bun"] === undefined) return undefined;
  const { default: path } = await import("../../assets/static-20k.bin", { with: { type: "file" } });
  return path;
}
