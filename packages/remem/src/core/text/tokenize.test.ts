import { expect, test } from "bun:test";
import { identifierTerms, terms, words } from "./tokenize.ts";

test("words are found whatever the case, the accents and the punctuation", () => {
  expect(words("L'été à ZÜRICH — don’t! (see foo_bar.ts)")).toEqual([
    "l",
    "ete",
    "a",
    "zurich",
    "don",
    "t",
    "see",
    "foo",
    "bar",
    "ts",
  ]);
});

test("a possessive is the word itself", () => {
  expect(words("Ada's and Bob’s")).toEqual(["ada", "and", "bob"]);
});

test("scripts without spaces are indexed by pairs of letters, also inside other text", () => {
  expect(words("東京都 v2東")).toEqual(["東京", "京都", "v2", "東"]);
  expect(words("ไปบ้าน").length).toBeGreaterThan(3);
});

test("scripts with spaces keep their words and marks", () => {
  expect(words("Мы идём हिन्दी العربية")).toEqual(["мы", "идем", "हिन्दी", "العربية"]);
});

test("different forms of an English word are one term", () => {
  expect(new Set(terms("adopt adopted adopting adoption adopts")).size).toBe(1);
});

test("identifiers also give their parts", () => {
  expect(identifierTerms("readFile HTTPServer max_pending plain")).toEqual([
    "read",
    "file",
    "http",
    "server",
    "max",
    "pend",
  ]);
});

test("encoded data is no word", () => {
  expect(words(`key ${"a1".repeat(40)} end`)).toEqual(["key", "end"]);
});

test("no text makes it throw", () => {
  for (const text of ["", "\u0000", "\ud800", "🎉".repeat(10), "'".repeat(1000)])
    expect(() => terms(text)).not.toThrow();
});
