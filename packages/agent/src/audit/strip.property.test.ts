import { expect, test } from "bun:test";
import { removeHidden, writeOutCritical } from "./remove-hidden.ts";
import { scan } from "./scan.ts";
import { GENUINE } from "./test-support/corpus.ts";

/** A small generator with a fixed seed: every run tries the same texts. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = generator(20_260_202);
const below = (most: number) => Math.floor(random() * most);
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;

const HIDDEN = [
  ..."\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\u3164\ufe0e\ufe0f\ufeff\u001b\u0000\r\u00a0\ue000",
  ..."\u{e0041}\u{e007f}\u{e0100}\u{e01ef}\u{100000}",
].map((character) => Buffer.from(character));
const BROKEN = [[0xff], [0xc3], [0xe2, 0x80], [0xed, 0xa0, 0x80], [0x80, 0xbf]].map((bytes) =>
  Buffer.from(bytes),
);
const VISIBLE = [...Object.values(GENUINE), "plain text\n", "a", " ", "\n", "א", "ب", "👩", "葛", "क"].map(
  (text) => Buffer.from(text),
);

function mixture(): Buffer {
  const parts = Array.from({ length: 1 + below(30) }, () =>
    random() < 0.45 ? pick(HIDDEN) : random() < 0.1 ? pick(BROKEN) : pick(VISIBLE),
  );
  return Buffer.concat(parts);
}

/** True when `part` is `whole` with bytes left out. */
function isSubsequence(part: Uint8Array, whole: Uint8Array): boolean {
  let at = 0;
  for (const byte of whole) if (at < part.length && part[at] === byte) at++;
  return at === part.length;
}

test("stripping leaves nothing critical or doubtful, takes nothing else, and does nothing a second time [A-AUDIT-04]", () => {
  for (let round = 0; round < 2000; round++) {
    const bytes = mixture();
    const { bytes: stripped, removed } = removeHidden(bytes);
    const before = scan(bytes, { most: 1000 });
    const after = scan(stripped, { most: 1000 });
    expect(after.counts).toMatchObject({ critical: 0, warning: 0 });
    expect(isSubsequence(stripped, bytes)).toBe(true);
    if (before.counts.critical + before.counts.warning === 0) expect([...stripped]).toEqual([...bytes]);
    else expect(removed.critical + removed.warning).toBeGreaterThan(0);
    expect(removeHidden(stripped).bytes).toBe(stripped);
  }
});

test("exactly the bytes of the findings go: every other byte is the same [A-AUDIT-04]", () => {
  for (let round = 0; round < 500; round++) {
    // A visible letter on both sides of each, so that no removal changes the neighbours of another one.
    const parts = Array.from({ length: 1 + below(20) }, () => [
      pick(VISIBLE),
      Buffer.from("x\n"),
      pick(HIDDEN),
      Buffer.from("y\n"),
    ]).flat();
    const bytes = Buffer.concat(parts);
    const kept = Buffer.from(bytes);
    const findings = scan(bytes, { most: 10_000 }).findings.filter(({ severity }) => severity !== "info");
    const ranges = findings.map(({ offset, bytes: length }) => [offset, offset + length] as const);
    const expected = kept.filter((_, at) => !ranges.some(([from, to]) => at >= from && at < to));
    expect([...removeHidden(bytes).bytes]).toEqual([...expected]);
  }
});

test("genuine text is stripped of nothing [A-AUDIT-04]", () => {
  for (const text of Object.values(GENUINE)) {
    const bytes = Buffer.from(text);
    expect(removeHidden(bytes).bytes).toBe(bytes);
  }
});

test("what a model reads has no critical character left, and the rest unchanged", () => {
  for (let round = 0; round < 500; round++) {
    const text = mixture().toString("utf8");
    const { text: written, counts } = writeOutCritical(text);
    if (counts.critical === 0) expect(written).toBe(text);
    else
      expect(
        written.replace(/\\u\{[0-9a-f]+\}(?:\[and \d+ more hidden characters\])?/g, "").length,
      ).toBeLessThan(text.length);
  }
});

test("critical characters are written out, long runs as the first and a count, and lesser ones stay", () => {
  const tags = [..."ignore all"]
    .map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
    .join("");
  expect(writeOutCritical(`a\u202eb${tags}c\u00add 👩\u200d💻`)).toMatchObject({
    text: "a\\u{202e}b\\u{e0069}[and 9 more hidden characters]c\u00add 👩\u200d💻",
    counts: { critical: 11, warning: 1, info: 1 },
  });
});
