import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { limitOf } from "./tool-limits.ts";
import { toolGroups, toolsPage } from "./tools-page.ts";

const ROOT = join(import.meta.dir, "..");

test("the page of tools is the one that their definitions give", () => {
  const written = readFileSync(join(ROOT, "docs", "tools.md"), "utf8");
  expect(written, "renew it: node scripts/bun.mjs structure/write-tools-page.ts").toBe(toolsPage());
});

test("every tool of the product stands on the page once", () => {
  const folders = readdirSync(join(ROOT, "packages", "agent", "src", "tools"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "shared" && entry.name !== "test-support")
    .map(({ name }) => name);
  const headings = [...toolsPage().matchAll(/^### (.+)$/gm)].map((match) => match[1]!);
  expect(headings.sort()).toEqual(folders.sort());
  expect(
    toolGroups()
      .flatMap(({ tools }) => tools.map(({ name }) => name))
      .sort(),
  ).toEqual(headings);
});

test("a limit is read from its source, and one that is not there any more is an error", () => {
  expect(limitOf("tools/read/read.ts", "MAX_TEXT")).toBe(100 * 1024 - 1024);
  expect(limitOf("tools/edit/edit.ts", "MAX_BYTES")).toBe(64 * 1024 * 1024);
  expect(() => limitOf("tools/read/read.ts", "NOT_THERE")).toThrow("has no number NOT_THERE");
});
