// A zip archive that is the same for the same content: what Windows opens without another program.
import { readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";

const deflate = promisify(deflateRaw);
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const DEFLATED = 8;

/** Writes `entries` (`name`, `path`) as a zip archive of at most 4 GB. `time`: seconds since 1970 for all. */
export async function writeZip(target, entries, time) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, path } of entries) {
    const content = readFileSync(path);
    const packed = await deflate(content);
    const fields = commonFields(name, content, packed, time);
    const start = Buffer.alloc(4);
    start.writeUInt32LE(LOCAL);
    const local = Buffer.concat([start, fields, Buffer.from(name)]);
    parts.push(local, packed);
    directory.push(centralEntry(name, fields, offset));
    offset += local.length + packed.length;
  }
  const central = Buffer.concat(directory);
  writeFileSync(target, Buffer.concat([...parts, central, endOf(entries.length, central.length, offset)]));
}

/** What both records of a file have: version, flags (the name is UTF-8), method, time, checksum, sizes, length of the name. */
function commonFields(name, content, packed, time) {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(0x0800, 2);
  fields.writeUInt16LE(DEFLATED, 4);
  fields.writeUInt32LE(dosTime(time), 6);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}

function centralEntry(name, fields, offset) {
  const start = Buffer.alloc(6);
  start.writeUInt32LE(CENTRAL, 0);
  start.writeUInt16LE(20, 4);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([start, fields, rest, Buffer.from(name)]);
}

function endOf(count, size, offset) {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

/** Time of MS-DOS, which begins in 1980 and counts in steps of two seconds. */
function dosTime(time) {
  const date = new Date(Math.max(time, Date.UTC(1980, 0, 1) / 1000) * 1000);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const clock = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return ((day << 16) | clock) >>> 0;
}
