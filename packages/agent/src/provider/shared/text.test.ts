import { expect, test } from "bun:test";
import type { Json } from "../../contract/json.ts";
import { StreamedText, wellFormed, wellFormedJson } from "./text.ts";

test("a lone surrogate becomes the replacement character, a pair stays [F19]", () => {
  expect(wellFormed("a\ud83db🎉")).toBe("a\ufffdb🎉");
});

test("JSON is made well-formed in keys and values at any depth, and left alone where it is [F19]", () => {
  const broken: Json = { "k\ud83d": ["\udc00", { deep: "ok" }] };
  expect(wellFormedJson(broken)).toEqual({
    "k\ufffd": ["\ufffd", { deep: "ok" }],
  });
  const fine: Json = { a: ["b", 1, null] };
  expect(wellFormedJson(fine)).toBe(fine);
});

test("a `__proto__` key stays a plain key", () => {
  const value = JSON.parse('{"__proto__":{"x":"\\ud83d"}}');
  expect(Object.keys(wellFormedJson(value))).toEqual(["__proto__"]);
});

test("a pair that arrives in halves is shown when it is whole [P13]", () => {
  const text = new StreamedText();
  expect(text.push("a\ud83c")).toBe("a");
  expect(text.push("\udf89")).toBe("🎉");
  expect(text.text).toBe("a🎉");
});

test("what was shown, with what the end gives, is exactly the text [F19][P14]", () => {
  const text = new StreamedText();
  const shown =
    ["x\udf89", "\ud83c", "\ud83c", "\udf89y\ud83c"].map((delta) => text.push(delta)).join("") +
    text.finish();
  expect(shown).toBe(text.text);
  expect(shown).toBe("x\ufffd\ufffd🎉y\ufffd");
});
