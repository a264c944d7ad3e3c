import { expect, test } from "bun:test";
import { byteTextDecoder } from "./byte-text.ts";

function decodeIn(bytes: Uint8Array, size: number): { text: string; binaryBytes: number } {
  const decoder = byteTextDecoder();
  let text = "";
  let binaryBytes = 0;
  for (let at = 0; at < bytes.length; at += size) {
    const piece = decoder.push(bytes.subarray(at, at + size));
    text += piece.text;
    binaryBytes += piece.binaryBytes;
  }
  return { text: text + decoder.end().text, binaryBytes };
}

test("characters that arrive in pieces of any size are whole [P13]", () => {
  const text = "日本語 🎉 é — ".repeat(20);
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 3, 5, 7, 1000]) expect(decodeIn(bytes, size)).toEqual({ text, binaryBytes: 0 });
});

test("bytes that are no UTF-8 are shown by their value, never as U+FFFD [P13]", () => {
  const bytes = Uint8Array.of(0x63, 0xe9, 0x20, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf5, 0x21, 0xe6, 0x97);
  const shown = "c\\xE9 \\xC0\\x80\\xED\\xA0\\x80\\xF5!\\xE6\\x97";
  for (const size of [1, 3, 100]) expect(decodeIn(bytes, size).text).toBe(shown);
});

test("a real U+FFFD and a byte order mark pass as they are", () => {
  const text = "\uFEFFa\uFFFDb";
  expect(decodeIn(new TextEncoder().encode(text), 2).text).toBe(text);
});

test("text in an old encoding is text, however many of its bytes are odd", () => {
  const bytes = new Uint8Array(500).fill(0xd0).map((byte, at) => (at % 6 === 5 ? 0x20 : byte + (at % 5)));
  expect(decodeIn(bytes, 500).binaryBytes).toBe(0);
});

test("binary data is counted and not shown, from its first piece to the end [B07]", () => {
  const random = crypto.getRandomValues(new Uint8Array(60_000));
  expect(decodeIn(random, 8192)).toEqual({ text: "", binaryBytes: 60_000 });
  const utf16 = new Uint8Array(Buffer.from("plain text in UTF-16 ".repeat(10), "utf16le"));
  expect(decodeIn(utf16, 10_000)).toEqual({ text: "", binaryBytes: utf16.length });
});

test("names separated by NUL and coloured text are text", () => {
  const names = new TextEncoder().encode("a/long/enough/path/name.txt\0".repeat(40));
  expect(decodeIn(names, 10_000).binaryBytes).toBe(0);
  const coloured = new TextEncoder().encode("\x1b[32mok\x1b[0m\r".repeat(100));
  expect(decodeIn(coloured, 10_000).binaryBytes).toBe(0);
});
