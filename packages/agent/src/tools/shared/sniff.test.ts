import { expect, test } from "bun:test";
import { sniff } from "./sniff.ts";
import { decodeUtf16, encodeUtf16, escapeHalves } from "./utf16.ts";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const utf8 = (text: string) => new TextEncoder().encode(text);

test("text, UTF-16, legacy text and binary data are told apart [F15]", () => {
  const kind = (bytes: Uint8Array) => {
    const found = sniff(bytes);
    return found.kind === "text" ? `${found.encoding} ${found.bomLength}` : found.type;
  };
  expect(kind(utf8(""))).toBe("utf-8 0");
  expect(kind(utf8("\ufeffa"))).toBe("utf-8 3");
  expect(kind(utf8(`${"x".repeat(8191)}é`))).toBe("utf-8 0");
  expect(kind(latin1("caf\xe9\n"))).toBe("unknown-8-bit 0");
  expect(kind(latin1("\xff\xfea\0"))).toBe("utf-16le 2");
  expect(kind(latin1("\xfe\xff\0a"))).toBe("utf-16be 2");
  expect(kind(latin1("h\0e\0l\0l\0o\0\n\0"))).toBe("utf-16le 0");
  expect(kind(latin1("\xff\xfe\0\0a\0\0\0"))).toContain("UTF-32");
  expect(kind(latin1("\0\0\xfe\xff\0\0\0a"))).toContain("UTF-32");
  expect(kind(latin1("\x7fELF\x02\x01\x01\0\0"))).toBe("ELF executable or library");
  expect(kind(latin1("SQLite format 3\0\x10\0"))).toBe("SQLite database");
  expect(kind(latin1("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"))).toBe("PNG image");
  expect(kind(latin1("%PDF-1.7\n%abc\n"))).toBe("PDF document");
  expect(kind(latin1(`one\ntwo\n${"\0".repeat(9000)}`))).toBe("utf-8 0");
  expect(kind(latin1("one\0two"))).toBe("unknown type");
  expect(kind(new Uint8Array(100))).toBe("NUL bytes only");
  expect(kind(utf8("MZ is how this line of plain text starts\n"))).toBe("utf-8 0");
  expect(kind(utf8("\x1b[31mred\x1b[0m\n"))).toBe("utf-8 0");
});

test("UTF-16 keeps every unit both ways, and what is half a character is shown as an escape [F19]", () => {
  const text = "aé😀\ud83d";
  for (const encoding of ["utf-16le", "utf-16be"] as const)
    expect(decodeUtf16(encodeUtf16(text, encoding), encoding)).toBe(text);
  expect(escapeHalves(text)).toBe("aé😀\\uD83D");
  expect(escapeHalves("\udc00x")).toBe("\\uDC00x");
});
