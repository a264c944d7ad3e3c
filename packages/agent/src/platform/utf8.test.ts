import { expect, test } from "bun:test";
import { characterLength, decodeUtf8, decodeWithin } from "./utf8.ts";

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
