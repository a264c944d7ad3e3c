import { expect, test } from "bun:test";
import { formatCount } from "../../platform/format-count.ts";
import { byteLength, characterStart, clipLine, headAndTail, headOf, humanSize, tailOf } from "./truncate.ts";

const SAMPLE = "aé€😀b😀".repeat(3);

test("a head cut at any byte is well-formed, within the limit and as long as it can be [F19]", () => {
  for (let limit = 0; limit <= byteLength(SAMPLE) + 2; limit++) {
    const head = headOf(SAMPLE, limit);
    expect(head.isWellFormed()).toBe(true);
    expect(byteLength(head)).toBeLessThanOrEqual(limit);
    expect(SAMPLE.startsWith(head)).toBe(true);
    const next = String.fromCodePoint(SAMPLE.codePointAt(head.length) ?? 0);
    if (head !== SAMPLE) expect(byteLength(head + next)).toBeGreaterThan(limit);
  }
});

test("a tail cut at any byte is well-formed, within the limit and as long as it can be [F19]", () => {
  for (let limit = 0; limit <= byteLength(SAMPLE) + 2; limit++) {
    const tail = tailOf(SAMPLE, limit);
    expect(tail.isWellFormed()).toBe(true);
    expect(byteLength(tail)).toBeLessThanOrEqual(limit);
    expect(byteLength(tail) + 4 > limit || tail === SAMPLE).toBe(true);
    expect(SAMPLE.endsWith(tail)).toBe(true);
  }
});

test("head and tail together count exactly what was dropped [S05][F19]", () => {
  const text = "😀".repeat(1000);
  const { head, tail, droppedBytes } = headAndTail(text, 101, 203);
  expect(byteLength(head) + droppedBytes + byteLength(tail)).toBe(4000);
  expect((head + tail).isWellFormed()).toBe(true);
  expect(headAndTail("short", 3, 3)).toEqual({ head: "short", tail: "", droppedBytes: 0 });
});

test("head and tail prefer whole lines", () => {
  const { head, tail } = headAndTail("aaaa\nbbbb\ncccc\ndddd\neeee\n", 12, 12);
  expect(head).toBe("aaaa\nbbbb\n");
  expect(tail).toBe("dddd\neeee\n");
});

test("a clipped line says how many bytes are missing", () => {
  expect(clipLine("abc", 3)).toBe("abc");
  expect(clipLine("ab😀😀", 6)).toBe("ab😀… [+4 bytes]");
});

test("a byte index moves back to the start of its character and never past bytes that are no UTF-8", () => {
  const bytes = new TextEncoder().encode("a😀b");
  expect([0, 1, 2, 3, 4, 5, 6].map((index) => characterStart(bytes, index))).toEqual([0, 1, 1, 1, 1, 5, 6]);
  expect(characterStart(new Uint8Array(8).fill(0x80), 6)).toBe(6);
});

test("sizes and counts read the same in every locale", () => {
  expect([0, 1, 1023, 1024, 5 * 1024 ** 2, 2 * 1024 ** 3].map(humanSize)).toEqual([
    "0 bytes",
    "1 byte",
    "1023 bytes",
    "1.0 KB",
    "5.0 MB",
    "2.0 GB",
  ]);
  expect([999, 1000, 1234567].map(formatCount)).toEqual(["999", "1,000", "1,234,567"]);
});
