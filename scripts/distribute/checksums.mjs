import { createHash } from "node:crypto";
import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** Writes `SHA256SUMS` of these files of a folder, as `sha256sum --check` and `shasum -a 256 --check` read it. */
export async function writeChecksums(folder, files) {
  const lines = [];
  for (const file of [...files].sort()) {
    const hash = createHash("sha256");
    await pipeline(createReadStream(join(folder, file)), hash);
    lines.push(`${hash.digest("hex")}  ${file}\n`);
  }
  writeFileSync(join(folder, "SHA256SUMS"), lines.join(""));
}
