/** A file type told by its first bytes. */
export interface MagicType {
  /** For people and models: "PNG image". */
  name: string;
  /** Set for the image types that models take. */
  mimeType?: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
}

type Row = [start: string, type: MagicType, at?: number];

/** First bytes as Latin-1 text, most specific first. Sources: the formats' own specifications. */
const TABLE: readonly Row[] = [
  ["\x89PNG\r\n\x1a\n", { name: "PNG image", mimeType: "image/png" }],
  ["\xff\xd8\xff", { name: "JPEG image", mimeType: "image/jpeg" }],
  ["GIF87a", { name: "GIF image", mimeType: "image/gif" }],
  ["GIF89a", { name: "GIF image", mimeType: "image/gif" }],
  ["WEBP", { name: "WebP image", mimeType: "image/webp" }, 8],
  ["II*\0", { name: "TIFF image" }],
  ["MM\0*", { name: "TIFF image" }],
  ["\0\0\x01\0", { name: "Windows icon" }],
  ["ftypavif", { name: "AVIF image" }, 4],
  ["ftyphei", { name: "HEIC image" }, 4],
  ["ftyp", { name: "MP4 or QuickTime video" }, 4],
  ["%PDF-", { name: "PDF document" }],
  ["SQLite format 3\0", { name: "SQLite database" }],
  ["\x7fELF", { name: "ELF executable or library" }],
  ["\0asm", { name: "WebAssembly module" }],
  ["\xcf\xfa\xed\xfe", { name: "Mach-O executable or library" }],
  ["\xce\xfa\xed\xfe", { name: "Mach-O executable or library" }],
  ["\xca\xfe\xba\xbe", { name: "Java class or universal Mach-O file" }],
  ["PK\x03\x04", { name: "ZIP archive (or a format based on it: docx, xlsx, jar, apk)" }],
  ["PK\x05\x06", { name: "empty ZIP archive" }],
  ["\x1f\x8b", { name: "gzip data" }],
  ["\xfd7zXZ\0", { name: "xz data" }],
  ["BZh", { name: "bzip2 data" }],
  ["\x28\xb5\x2f\xfd", { name: "Zstandard data" }],
  ["7z\xbc\xaf\x27\x1c", { name: "7-Zip archive" }],
  ["Rar!\x1a\x07", { name: "RAR archive" }],
  ["ustar", { name: "tar archive" }, 257],
  ["!<arch>\n", { name: "static library or Debian package" }],
  ["RIFF", { name: "RIFF media (WAV, AVI)" }],
  ["OggS", { name: "Ogg media" }],
  ["fLaC", { name: "FLAC audio" }],
  ["ID3", { name: "MP3 audio" }],
  ["\x1aE\xdf\xa3", { name: "Matroska or WebM video" }],
  ["wOFF", { name: "WOFF font" }],
  ["wOF2", { name: "WOFF2 font" }],
  ["OTTO", { name: "OpenType font" }],
  ["\0\x01\0\0\0", { name: "TrueType font" }],
  ["DIRC", { name: "git index" }],
  ["PAR1", { name: "Parquet data" }],
  ["MZ", { name: "Windows executable" }],
  ["BM", { name: "BMP image" }],
];

/** The type of binary data, or null when its first bytes are not known. Text may start like some of these: ask only for binary. */
export function magicType(head: Uint8Array): MagicType | null {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 512)).toString("latin1");
  return TABLE.find(([bytes, , at = 0]) => start.startsWith(bytes, at))?.[1] ?? null;
}
