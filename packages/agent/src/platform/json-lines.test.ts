import { expect, test } from "bun:test";
import { createLineSplitter, encodeJsonLine } from "./json-lines.ts";

const text = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString("utf8"));

test("a record with every line break that some program knows is one line of plain LF framing [H01][A-SESS-01]", () => {
  const value = { "key\u2028": "a\u2028b\u2029c\u0085d\re\nf\u000bg\u000ch\u001ci\u0000j" };
  const line = encodeJsonLine(value);
  expect(line.endsWith("\n")).toBe(true);
  expect(line.slice(0, -1)).not.toMatch(/[\n\r\u000b\u000c\u001c\u0085\u2028\u2029]/);
  expect(JSON.parse(line)).toEqual(value);
});

test("a lone surrogate is written as U+FFFD, a pair and an escaped backslash stay [F19]", () => {
  const back = JSON.parse(
    encodeJsonLine({ a: "x\ud83dy", b: "😀", c: "\\ud83d", d: "\\\\ud83d", e: "\udc00" }),
  );
  expect(back).toEqual({ a: "x\ufffdy", b: "😀", c: "\\ud83d", d: "\\\\ud83d", e: "\ufffd" });
});

test("a stream is split at LF alone, wherever its chunks are cut [H01]", () => {
  const source = Buffer.from('{"a":"\u2028é\r"}\n\n{"b":1}\r\nlast');
  for (let size = 1; size <= source.length; size++) {
    const splitter = createLineSplitter();
    const lines: (string | null)[] = [];
    for (let at = 0; at < source.length; at += size)
      for (const line of splitter.push(source.subarray(at, at + size))) lines.push(text(line.bytes));
    const end = splitter.end();
    if (end) lines.push(text(end.bytes));
    expect(lines).toEqual(['{"a":"\u2028é\r"}', "", '{"b":1}\r', "last"]);
  }
});

test("a line over the limit is dropped with its length and the next one is whole [C02]", () => {
  const splitter = createLineSplitter(4);
  const lines = [
    ...splitter.push(Buffer.from("abc")),
    ...splitter.push(Buffer.from("defgh")),
    ...splitter.push(Buffer.from("i\nabcd\nabcde\n")),
  ];
  expect(lines.map((line) => [text(line.bytes), line.length])).toEqual([
    [null, 9],
    ["abcd", 4],
    [null, 5],
  ]);
  expect(splitter.end()).toBeNull();
});

test("a held part is not changed when its chunk's memory is used again", () => {
  const splitter = createLineSplitter();
  const chunk = Buffer.from("half");
  splitter.push(chunk);
  chunk.fill("x");
  expect(text(splitter.push(Buffer.from("\n"))[0]!.bytes)).toBe("half");
});
