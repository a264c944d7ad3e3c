import { expect, test } from "bun:test";
import { fencedBlock, inlineCode } from "./markdown.ts";

test("a fence is longer than any run of backticks in the text", () => {
  expect(fencedBlock("a ```` b")).toBe("`````\na ```` b\n`````");
  expect(fencedBlock("`a`\n")).toBe("```\n`a`\n```");
});

test("code within a line keeps its own backticks, and becomes one line", () => {
  expect(inlineCode("a `b`\n c")).toBe("``a `b` c``");
  expect(inlineCode("x\ny")).toBe("`x y`");
});
