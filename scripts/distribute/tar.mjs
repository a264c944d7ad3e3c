// A tar archive that is the same for the same content, whatever machine writes it (no users, one time, given order).
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

const BLOCK = 512;

/** Writes `entries` (`name`, `path`, and `executable`) as a gzipped tar archive. `time`: seconds since 1970 for all. */
export async function writeTarGz(target, entries, time) {
  await pipeline(() => blocks(entries, time), createGzip(), createWriteStream(target));
}

async function* blocks(entries, time) {
  for (const { name, path, executable } of entries) {
    const { size } = statSync(path);
    yield header({ name, size, mode: executable ? 0o755 : 0o644, time });
    yield* createReadStream(path);
    yield Buffer.alloc(-size & (BLOCK - 1));
  }
  yield Buffer.alloc(2 * BLOCK);
}

function header({ name, size, mode, time }) {
  const block = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for a tar archive`);
  const octal = (value, digits) => value.toString(8).padStart(digits, "0");
  block.write(name, 0);
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(time, 11), 136);
  block.fill(" ", 148, 156);
  block.write("0", 156);
  block.write("ustar\x0000", 257, "latin1");
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0`,
    148,
  );
  return block;
}
