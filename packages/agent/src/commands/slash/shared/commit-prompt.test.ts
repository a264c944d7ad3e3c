import { expect, test } from "bun:test";
import type { StagedFile } from "./commit-port.ts";
import { commitPrompt, fileLine } from "./commit-prompt.ts";

const modified = (path: string): StagedFile => ({ change: "modified", path, added: 1, removed: 1 });

function section(path: string, lines: number): string {
  const body = Array.from({ length: lines }, (_, index) => `+${path} ${index}`).join("\n");
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n${body}\n`;
}

function prompt(diff: string, files: StagedFile[]): string {
  return commitPrompt({ tree: "t", files, diff, conflicts: [], unstaged: 0 });
}

test("a small diff goes whole, in the order of the files", () => {
  const text = prompt(section("b.ts", 5) + section("a.ts", 2), [modified("b.ts"), modified("a.ts")]);
  expect(text).toContain("Staged files:\nmodified b.ts (+1 −1)\nmodified a.ts (+1 −1)");
  expect(text.indexOf("+b.ts 4")).toBeLessThan(text.indexOf("+a.ts 0"));
});

test("a huge diff is bounded: small files whole, big ones cut with a count", () => {
  const text = prompt(section("big.ts", 50_000) + section("small.ts", 3), [
    modified("big.ts"),
    modified("small.ts"),
  ]);
  expect(text.length).toBeLessThan(29_000);
  expect(text).toContain("+small.ts 2");
  expect(text).toMatch(/\[\d+,\d+ more lines left out\]/);
});

test("what small files leave of the room goes to the big ones", () => {
  const text = prompt(section("big.ts", 50_000) + section("small.ts", 3), []);
  expect(text.length).toBeGreaterThan(27_000);
});

test("a thousand big files stay within the bound, and each is named", () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `file-${index}.ts`);
  const text = prompt(names.map((name) => section(name, 100)).join(""), names.map(modified));
  expect(text.length).toBeLessThan(60_000);
  for (const name of names) expect(text).toContain(`${name}`);
});

test("of more files than can be named the rest is counted", () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `folder/file-${index}.ts`);
  const text = prompt("", names.map(modified));
  expect(text.length).toBeLessThan(60_000);
  const [, more = ""] = /… and ([\d,]+) more/.exec(text) ?? [];
  expect(text.match(/folder\/file-/g)!.length + Number(more.replace(",", ""))).toBe(10_000);
});

test("generated files are named, and their lines are left out", () => {
  const text = prompt(section("package-lock.json", 400), [modified("package-lock.json")]);
  expect(text).toContain("+++ b/package-lock.json\n[generated: left out]");
  expect(text).not.toContain("+package-lock.json 1");
});

test("a line of a diff that looks like a header splits nothing that is lost", () => {
  const tricky = section("a.md", 1).replace("+a.md 0", "+diff --git a/x b/x\n+after");
  expect(prompt(tricky, [])).toContain("+after");
});

test("files without text have no diff and no line counts", () => {
  const picture: StagedFile = { change: "added", path: "a.png", added: null, removed: null };
  expect(fileLine(picture)).toBe("added    a.png (not text)");
  expect(prompt("", [picture])).toContain("There is no text diff.");
});
