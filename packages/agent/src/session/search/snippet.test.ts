import { expect, test } from "bun:test";
import { snippetOf } from "./snippet.ts";

test("a snippet is one line around the first word, with what was cut marked", () => {
  const text = `${"before ".repeat(30)}the needle\n\tand\u0000 the rest ${"after ".repeat(60)}`;
  const { snippet, found } = snippetOf(text, ["NEEDLE", "missing"]);
  expect(snippet).toMatch(/^…before .*the needle and the rest after .*…$/);
  expect(found).toBe(1);
});

test("the beginning of a word is preferred to the middle of another", () => {
  const text = `unparsed ${"x ".repeat(100)} parse it`;
  expect(snippetOf(text, ["parse"]).snippet).toEndWith("parse it");
});

test("a short text stays whole, and one without the words shows its beginning", () => {
  expect(snippetOf("short text", ["other"])).toEqual({ snippet: "short text", found: 0 });
});
