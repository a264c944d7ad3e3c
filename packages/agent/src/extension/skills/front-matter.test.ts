import { expect, test } from "bun:test";
import { FrontMatterError, type FrontMatterValue, readFrontMatter } from "./front-matter.ts";

function valuesOf(front: string): Record<string, FrontMatterValue> {
  const { values } = readFrontMatter(`---\n${front}\n---\nbody\n`)!;
  return Object.fromEntries([...values].map(([key, { value }]) => [key, value]));
}

test.each<[string, string, FrontMatterValue]>([
  ["a plain text", "k: some text", "some text"],
  ["an unquoted colon", "k: Use it for: this, and that: too", "Use it for: this, and that: too"],
  ["a comment", "k: text # not this", "text"],
  ["a # inside of a word", "k: C#-code", "C#-code"],
  ["double quotes with escapes", String.raw`k: "a \"b\" \u00e9\n# c"`, 'a "b" é\n# c'],
  ["single quotes", "k: 'it''s: so'", "it's: so"],
  ["a quoted text over two lines", 'k: "one\n  two"', "one two"],
  ["a plain text over two lines", "k: one\n  two\n  three", "one two three"],
  ["a folded block", "k: >\n  one\n  two\n\n  three", "one two\nthree"],
  ["a folded block with chomping", "k: >-\n  one\n  two", "one two"],
  ["a literal block", "k: |\n  one\n    two\n\n  three", "one\n  two\n\nthree"],
  ["a tab instead of blanks", "k:\ttabbed", "tabbed"],
  ["a block by tabs", "k: |\n\tone\n\ttwo", "one\ntwo"],
  ["a list", "k:\n  - one\n  - 'two'\n  # no entry\n  - three # rest", ["one", "two", "three"]],
  ["a list at the margin", "k:\n- one\n- two", ["one", "two"]],
  ["a list in brackets", "k: [one, \"two, three\", 'four']", ["one", "two, three", "four"]],
  ["a text that begins with a bracket", "k: [draft] a text", "[draft] a text"],
  ["an empty list", "k: []", []],
  ["nothing", "k:", null],
  ["a map, which is passed over", "k:\n  author: me\n  version: 1", null],
  ["a text below its key", "k:\n  one\n  two", "one two"],
  ["a version", "k: 1.0", "1.0"],
])("%s", (_, front, value) => {
  expect(valuesOf(front)).toEqual({ k: value });
});

test("what follows a value is read on, whatever its form", () => {
  expect(valuesOf("a: >\n  one\n\nb:\n- x\nc: 'q'\n\n# comment\nd: [1,\n  2]\ne: z")).toEqual({
    a: "one",
    b: ["x"],
    c: "q",
    d: ["1", "2"],
    e: "z",
  });
});

test("CRLF, a byte order mark and blanks after the fences make no difference [X08]", () => {
  const read = readFrontMatter("\uFEFF---  \r\nname: a\r\ndescription: b\r\n--- \r\nbody\r\n")!;
  expect([...read.values.keys()]).toEqual(["name", "description"]);
  expect(read.values.get("description")).toEqual({ value: "b", line: 3 });
  expect(read.body).toBe("body\n");
  expect(read.bodyLine).toBe(5);
});

test("a --- in the body stays in the body [X08]", () => {
  const read = readFrontMatter("---\nname: a\n---\none\n---\ntwo: three\n---\n")!;
  expect(read.body).toBe("one\n---\ntwo: three\n---\n");
  expect([...read.values.keys()]).toEqual(["name"]);
});

test("a file without front matter has none", () => {
  expect(readFrontMatter("# Title\n---\nname: a\n---\n")).toBeNull();
  expect(readFrontMatter("")).toBeNull();
});

test.each([
  ["---\nname: a\n", 1, "no closing ---"],
  ["---\nname: a\njust words\n---\n", 3, '"just words" is not of the form key: value'],
  ["---\nname: a\n\nname: b\n---\n", 4, '"name" stands here and in line 2'],
  ['---\nname: "a\n---\n', 2, "a quote is not closed"],
  ["---\nname: a\ntools: [x, y\n---\n", 3, "a [ is not closed"],
  ["---\n  name: a\n---\n", 2, "indented and belongs to no key"],
  ["---\ntools:\n  - a\n  b\n---\n", 4, "no entry of the list"],
  ["\n\n---\nx\n---\n", 4, "is not of the form"],
])("what is wrong is told with its line: %j [X08]", (text, line, message) => {
  let thrown: unknown;
  try {
    readFrontMatter(text);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(FrontMatterError);
  expect((thrown as FrontMatterError).line).toBe(line);
  expect((thrown as FrontMatterError).message).toContain(message);
});
