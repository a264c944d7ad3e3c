import { expect, test } from "bun:test";
import { pathOf, uriOf } from "./file-uri.ts";
import { LineMap, type PositionEncoding } from "./line-map.ts";
import { difference } from "./open-documents.ts";
import { applyTextEdits } from "./text-edits.ts";

const ENCODINGS: readonly PositionEncoding[] = ["utf-8", "utf-16", "utf-32"];

/** Numbers that look random and are the same in each run. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const PIECES = ["a", "é", "日", "🎉", "👩‍👧", "\n", "\r\n", "\t", "x = 1;", "\u2028", ""];

function randomText(next: (below: number) => number): string {
  return Array.from({ length: next(30) }, () => PIECES[next(PIECES.length)]!).join("");
}

for (const encoding of ENCODINGS) {
  test(`a position and its offset are the same place, counting in ${encoding}`, () => {
    const next = numbers(1);
    for (let round = 0; round < 300; round++) {
      const text = randomText(next);
      const map = new LineMap(text);
      for (let at = 0; at <= text.length; at++) {
        const inPair = at > 0 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
        const inEnd = text.slice(at - 1, at + 1) === "\r\n";
        if (!inPair && !inEnd) expect(map.offset(map.position(at, encoding), encoding)).toBe(at);
      }
    }
  });

  test(`the one change between two texts makes one of the other, counting in ${encoding}`, () => {
    const next = numbers(2);
    for (let round = 0; round < 2_000; round++) {
      const before = randomText(next);
      const at = next(before.length + 1);
      const after =
        next(3) === 0 ? randomText(next) : (before.slice(0, at) + randomText(next)).toWellFormed();
      const { range, text } = difference(before, after, encoding);
      if (before.isWellFormed() && before.trim() !== "" && after.trim() !== "" && after.isWellFormed())
        expect(applyTextEdits(before, [{ range, newText: text }], encoding)).toEqual({ text: after });
    }
  });
}

test("places as people read them count characters from 1", () => {
  const map = new LineMap("one\n🎉é x\n");
  for (const encoding of ENCODINGS) {
    const wire = map.wire({ line: 2, column: 4 }, encoding);
    expect(map.shown(wire, encoding)).toEqual({ line: 2, column: 4 });
  }
  expect(map.wire({ line: 2, column: 3 }, "utf-8")).toEqual({ line: 1, character: 6 });
  expect(map.shown({ line: 1, character: 900 }, "utf-16")).toEqual({ line: 2, column: 5 });
});

test("edits of a server count behind the last line as the end, and insertions at one place keep their order", () => {
  const at = (line: number, character: number) => ({ line, character });
  const insert = (line: number, character: number, newText: string) => ({
    range: { start: at(line, character), end: at(line, character) },
    newText,
  });
  expect(applyTextEdits("a\nb", [insert(2, 0, "!"), insert(0, 0, "1"), insert(0, 0, "2")], "utf-16")).toEqual(
    {
      text: "12a\nb!",
    },
  );
  expect(applyTextEdits("a", null, "utf-16")).toEqual({ text: "a" });
  expect(applyTextEdits("a", [{ newText: "b" }], "utf-16")).toEqual({ problem: "one of its edits is none" });
});

test("odd file names survive the way to a URI and back, however a server writes it", () => {
  for (const path of ["/p/a b.ts", "/p/#1?.ts", "/p/100%.ts", "/p/日本 é.ts", "/p/[x].ts", "/p/a%20b.ts"])
    expect(pathOf(uriOf(path))).toBe(path);
  expect(pathOf("file:///p/a%20b.ts")).toBe("/p/a b.ts");
  expect(pathOf("file:///p/a b.ts")).toBe("/p/a b.ts");
  expect(pathOf("file:///p/100%.ts")).toBe("/p/100%.ts");
  expect(pathOf("FILE:///p/a.ts")).toBe("/p/a.ts");
  expect([pathOf("untitled:x"), pathOf("jdt://contents/x"), pathOf("")]).toEqual([null, null, null]);
});
