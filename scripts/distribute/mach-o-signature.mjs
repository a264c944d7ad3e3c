// The signature inside of macOS's executables: whether it fits, and an ad-hoc one (of nobody, as linkers write it) where it does not.
import { createHash } from "node:crypto";

const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
const SHA256 = 2;
const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;
/** Segments begin at such multiples in memory on every Mac. */
const MEMORY_PAGE = 0x4000;
const DIRECTORY_HEADER = 88;
const DIRECTORY_VERSION = 0x20400;
/** Ad hoc, and written by a linker: no hardened runtime, which would forbid to compile at run time. */
const FLAGS = 0x20002;
const MAIN_BINARY = 1n;

/** What macOS would find wrong with the signature; undefined when nothing. Without a fitting one, what is started is killed. */
export function signatureFault(bytes) {
  const place = signatureCommand(bytes)?.place;
  if (place === undefined) return "it is not signed, and macOS would not start it";
  const directory = codeDirectory(bytes, place);
  if (directory === undefined) return "its signature names no pages";
  const hashes = directory + bytes.readUInt32BE(directory + 16);
  const count = bytes.readUInt32BE(directory + 28);
  const limit = bytes.readUInt32BE(directory + 32);
  const [size, type, , pageBits] = bytes.subarray(directory + 36, directory + 40);
  if (size !== 32 || type !== SHA256 || pageBits !== PAGE_BITS) return "its signature is of an unknown kind";
  if (limit !== place || count !== Math.ceil(limit / PAGE)) return "its signature does not cover all of it";
  const wrong = pageHashes(bytes, limit).findIndex(
    (hash, page) => !hash.equals(bytes.subarray(hashes + page * size, hashes + (page + 1) * size)),
  );
  return wrong < 0 ? undefined : `page ${wrong} does not fit the signature`;
}

/** The executable with an ad-hoc signature in the place of the one it has. Throws an Error where it has none. */
export function signedAdHoc(bytes, identifier) {
  const command = signatureCommand(bytes);
  if (command === undefined) throw new Error("there is no place for a signature in this executable");
  const { place } = command;
  const count = Math.ceil(place / PAGE);
  const size = aligned(20 + DIRECTORY_HEADER + identifier.length + 1 + count * 32, 16);
  const code = Buffer.from(bytes.subarray(0, place));
  // The load commands are hashed, too: they must say the new size before.
  code.writeUInt32LE(size, command.at + 12);
  const linkEdit = segment(code, "__LINKEDIT");
  const linkEditSize = place + size - Number(code.readBigUInt64LE(linkEdit + 40));
  code.writeBigUInt64LE(BigInt(linkEditSize), linkEdit + 48);
  code.writeBigUInt64LE(BigInt(aligned(linkEditSize, MEMORY_PAGE)), linkEdit + 32);
  return Buffer.concat([code, signature(code, identifier, size)]);
}

function signature(code, identifier, size) {
  const text = segment(code, "__TEXT");
  const hashes = pageHashes(code, code.length);
  const hashOffset = DIRECTORY_HEADER + identifier.length + 1;
  const length = hashOffset + hashes.length * 32;
  const blob = Buffer.alloc(size);
  const words = [SUPER_BLOB, 20 + length, 1, 0, 20, CODE_DIRECTORY, length, DIRECTORY_VERSION, FLAGS];
  words.push(hashOffset, DIRECTORY_HEADER, 0, hashes.length, code.length);
  for (const [index, word] of words.entries()) blob.writeUInt32BE(word, index * 4);
  const directory = blob.subarray(20);
  directory.set([32, SHA256, 0, PAGE_BITS], 36);
  code.copy(directory, 64, text + 40, text + 56);
  directory.subarray(64, 80).swap64();
  directory.writeBigUInt64BE(MAIN_BINARY, 80);
  directory.write(identifier, DIRECTORY_HEADER, "latin1");
  for (const [page, hash] of hashes.entries()) hash.copy(directory, hashOffset + page * 32);
  return blob;
}

function pageHashes(bytes, limit) {
  return Array.from({ length: Math.ceil(limit / PAGE) }, (_, page) =>
    createHash("sha256")
      .update(bytes.subarray(page * PAGE, Math.min(limit, (page + 1) * PAGE)))
      .digest(),
  );
}

function signatureCommand(bytes) {
  for (const { at, kind } of loadCommands(bytes))
    if (kind === LC_CODE_SIGNATURE) return { at, place: bytes.readUInt32LE(at + 8) };
  return undefined;
}

function segment(bytes, name) {
  for (const { at, kind } of loadCommands(bytes))
    if (kind === LC_SEGMENT_64 && bytes.toString("latin1", at + 8, at + 24).replace(/\0+$/, "") === name)
      return at;
  throw new Error(`the executable has no segment ${name}`);
}

function* loadCommands(bytes) {
  let at = 32;
  for (let left = bytes.readUInt32LE(16); left > 0; left--) {
    yield { at, kind: bytes.readUInt32LE(at) };
    at += bytes.readUInt32LE(at + 4);
  }
}

function codeDirectory(bytes, place) {
  const count = bytes.readUInt32BE(place + 8);
  const blobs = Array.from(
    { length: count },
    (_, index) => place + bytes.readUInt32BE(place + 16 + index * 8),
  );
  return blobs.find((blob) => bytes.readUInt32BE(blob) === CODE_DIRECTORY);
}

function aligned(size, unit) {
  return Math.ceil(size / unit) * unit;
}
