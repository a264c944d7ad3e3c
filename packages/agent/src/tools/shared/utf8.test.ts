import { expect, test } from "bun:test";
import { sniff } from "./sniff.ts";
import { characterLength, decodeUtf8, decodeWithin } from "./utf8.ts";
import { decodeUtf16, encodeUtf16, escapeHalves } from "./utf16.ts";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const utf8 = (text: string) => new TextEncoder().encode(text);

test("bytes that are no UTF-8 show as escapes and never as a replacement character [F03][F15]", () => {
  expect(decodeUtf8(latin1("caf\xe9 ok"))).toEqual({ text: "caf\\xE9 ok", invalid: 1 });
  expect(decodeUtf8(latin1("\xc3"))).toEqual({ text: "\\xC3", invalid: 1 });
  expect(decodeUtf8(latin1("a\0b"))).toEqual({ text: "a\\x00b", invalid: 0 });
  expect(decodeUtf8(latin1(`a${"\0".repeat(5000)}`)).text).toBe("a\\x00[repeated 5000 times]");
  expect(decodeUtf8(latin1("\xed\xa0\xbd")).text).toBe("\\xED\\xA0\\xBD");
  expect(decodeUtf8(utf8("é😀\ufffd"))).toEqual({ text: "é😀\ufffd", invalid: 0 });
});

test("a character's length is that of the strict decoder for every first two bytes", () => {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const isWhole = (bytes: Uint8Array) => {
    try {
      return [...strict.decode(bytes)].length === 1;
    } catch {
      // not UTF-8
      return false;
    }
  };
  for (let first = 0; first < 256; first++)
    for (let second = 0; second < 256; second += 5) {
      const bytes = new Uint8Array([first, second, 0x80, 0xbf]);
      const expected = [1, 2, 3, 4].find((length) => isWhole(bytes.subarray(0, length))) ?? 0;
      expect(characterLength(bytes, 0)).toBe(expected);
    }
});

test("decoding within a limit splits no character and says how many bytes it took [F19]", () => {
  const bytes = utf8("ab😀cd");
  for (let limit = 0; limit <= 9; limit++) {
    const { text, used } = decodeWithin(bytes, limit);
    expect(text.isWellFormed() && !text.includes("\\x")).toBe(true);
    expect(Buffer.byteLength(text)).toBe(used);
    expect(used).toBeLessThanOrEqual(limit);
  }
  const { text, used } = decodeWithin(latin1("\xe9".repeat(100)), 40);
  expect([Buffer.byteLength(text), used]).toEqual([40, 10]);
});

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
