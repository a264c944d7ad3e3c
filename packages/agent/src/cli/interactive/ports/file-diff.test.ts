import { expect, test } from "bun:test";
import type { FileState } from "../../../contract/checkpoint.ts";
import { type FileSide, filesDiff } from "./file-diff.ts";

const file = (text: string | Uint8Array, mode = 0o644): FileSide => {
  const bytes = Buffer.from(text as string);
  return { state: { kind: "file", hash: "", size: bytes.length, mode }, bytes };
};
const state = (it: FileState): FileSide => ({ state: it, bytes: null });
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join("");

test("changes that lie apart are hunks with three lines around them", () => {
  const before = lines(1, 30);
  const after = before
    .replace("line 5\n", "five\n")
    .replace("line 20\n", "")
    .replace("line 30", "line 30\nend");
  expect(filesDiff([{ path: "a.txt", from: file(before), to: file(after) }])).toBe(
    [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -2,7 +2,7 @@",
      " line 2",
      " line 3",
      " line 4",
      "-line 5",
      "+five",
      " line 6",
      " line 7",
      " line 8",
      "@@ -17,7 +17,6 @@",
      " line 17",
      " line 18",
      " line 19",
      "-line 20",
      " line 21",
      " line 22",
      " line 23",
      "@@ -28,3 +27,4 @@",
      " line 28",
      " line 29",
      " line 30",
      "+end",
    ].join("\n"),
  );
});

test("new and deleted files, modes, links and what is no text are told apart", () => {
  const missing = state({ kind: "missing" });
  expect(filesDiff([{ path: "new", from: missing, to: file("x\n") }])).toBe(
    "--- /dev/null\n+++ b/new\n@@ -0,0 +1,1 @@\n+x",
  );
  expect(filesDiff([{ path: "old", from: file("x"), to: missing }])).toBe(
    "--- a/old\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n\\ No newline at end of file",
  );
  expect(filesDiff([{ path: "m", from: file("x\n"), to: file("x\n", 0o755) }])).toBe(
    "--- a/m\n+++ b/m\nmode 644 → 755",
  );
  expect(filesDiff([{ path: "l", from: file("x"), to: state({ kind: "link", target: "t" }) }])).toContain(
    "a file of 1 bytes → a link to t",
  );
  expect(filesDiff([{ path: "b", from: file(Uint8Array.of(0, 1)), to: file("x") }])).toContain(
    "a file of 2 bytes → a file of 1 bytes",
  );
});

test("a long diff is cut, and says how much is not shown", () => {
  const many = Array.from({ length: 8 }, (_, n) => ({
    path: `f${n}`,
    from: file(lines(1, 400)),
    to: state({ kind: "missing" }),
  }));
  const text = filesDiff(many);
  expect(text).toContain("… 201 more lines of this file");
  expect(text).toEndWith("… and 3 more files");
});
