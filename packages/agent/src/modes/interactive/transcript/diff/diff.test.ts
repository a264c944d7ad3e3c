import { expect, test } from "bun:test";
import { randomNumbers } from "../test-support/corpus.ts";
import { diffLines } from "./diff-line.ts";
import { diffSequence } from "./sequence-diff.ts";
import { parseUnifiedDiff } from "./unified-diff.ts";

test("the steps of a diff lead from the old lines to the new ones", () => {
  const below = randomNumbers(9);
  for (let round = 0; round < 300; round++) {
    const list = () => Array.from({ length: below(12) }, () => "abcd"[below(4)]!);
    const [before, after] = [list(), list()];
    const steps = diffSequence(before, after);
    const kept = steps.filter((step) => step.kind !== "added").map((step) => before[step.before]!);
    const now = steps.filter((step) => step.kind !== "removed").map((step) => after[step.after]!);
    expect(kept).toEqual(before);
    expect(now).toEqual(after);
  }
});

test("a common line is kept where there is one", () => {
  expect(diffSequence(["a", "x", "b"], ["b", "x", "a"]).some((step) => step.kind === "same")).toBe(true);
});

test("huge lists that share nothing are replaced as a whole, at once", () => {
  const lines = (letter: string) => Array.from({ length: 5_000 }, (_, index) => `${letter}${index}`);
  const steps = diffSequence(lines("a"), lines("b"));
  expect(steps.length).toBe(10_000);
  expect(steps[0]?.kind).toBe("removed");
});

test("words that differ within a line are marked, blanks and all else are not", () => {
  const [removed, added] = diffLines(["let total = one;"], ["let total = two;"], 4, 4);
  expect(removed).toMatchObject({ kind: "removed", oldLine: 4, emphasis: [[12, 15]] });
  expect(added).toMatchObject({ kind: "added", newLine: 4, emphasis: [[12, 15]] });
});

test("lines that have nothing in common have no marked words", () => {
  expect(diffLines(["alpha beta"], ["gamma (delta)"], 1, 1).some((line) => line.emphasis)).toBe(false);
});

test("a unified diff gives lines with their numbers", () => {
  const lines = parseUnifiedDiff(
    "--- a/x\n+++ b/x\n@@ -3,3 +3,2 @@ f()\n a\n-b\n c\n\\ No newline at end of file\n",
  );
  expect(lines.map(({ kind, oldLine, newLine }) => [kind, oldLine, newLine])).toEqual([
    ["note", undefined, undefined],
    ["note", undefined, undefined],
    ["note", undefined, undefined],
    ["context", 3, 3],
    ["removed", 4, undefined],
    ["context", 5, 4],
    ["note", undefined, undefined],
  ]);
});
