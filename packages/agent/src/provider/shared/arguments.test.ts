import { expect, test } from "bun:test";
import { cutArguments, parseArguments } from "./arguments.ts";

test.each(["", "  ", "\n\t"])("%j is an empty object [P01]", (text) => {
  expect(parseArguments(text)).toEqual({ arguments: {} });
});

test("an object is parsed as it is", () => {
  expect(parseArguments(' {"a": [1, "x\\n", null]} ')).toEqual({ arguments: { a: [1, "x\n", null] } });
});

test.each([
  ['{"command": "ls', "never ends, at position 15"],
  ['{"command": "ls"', "ends where , or } should follow, at position 16"],
  ['{"a": 1,}', "comma before the closing bracket, at position 8"],
  ['{"a": [1,]}', "comma before the closing bracket, at position 9"],
  ['{"a":1}{"b":2}', "glued together, at position 7"],
  ['{"a":1} done', "text after the end of the JSON value, at position 8"],
  ['{"a": "x\ny"}', "raw line break (write it as \\n), at position 8"],
  ['{"a": "x\ty"}', "raw tab (write it as \\t), at position 8"],
  ['{"a": "\\x"}', "no JSON escape, at position 7"],
  ['{"a": "\\u12"}', "no JSON escape, at position 7"],
  ["{'a': 1}", "position 1"],
  ['{"a" 1}', "stands where : should, at position 5"],
  ['{"a": 01}', "position 7"],
  ['{"a": NaN}', "position 6"],
  ["null", "are null, at position 0"],
  ["[1]", "are an array, at position 0"],
  ['"ls"', "are a string, at position 0"],
  ["12", "are a number, at position 0"],
])("%j is malformed, and the message tells where [P01]", (text, words) => {
  const { arguments: parsed, problem } = parseArguments(text);
  expect(parsed).toEqual({});
  expect(problem).toMatchObject({ kind: "malformed", raw: text });
  expect(problem?.message).toContain(words);
});

test("nesting of any depth gives arguments or a problem and never throws [P01]", () => {
  const deep = `{"a":${"[".repeat(200_000)}`;
  expect(parseArguments(deep).problem?.kind).toBe("malformed");
  const whole = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  expect(parseArguments(whole).problem?.kind).toBe("malformed");
});

test("arguments nest 100 levels and no more: a service would refuse every later request [P01]", () => {
  const nested = (lists: number) => `{"a":${"[".repeat(lists)}${"]".repeat(lists)}}`;
  expect(parseArguments(nested(99)).problem).toBeUndefined();
  expect(parseArguments(nested(100)).problem?.message).toBe(
    "The arguments are nested too deeply: more than 100 levels.",
  );
});

test("the raw text of a problem is kept up to 2,000 characters, never half a character [F19]", () => {
  const { problem } = parseArguments(`${"x".repeat(1_999)}🎉${"y".repeat(100)}`);
  expect(problem?.raw.length).toBe(2_000);
  expect(problem?.raw.isWellFormed()).toBe(true);
});

test("lone surrogates in arguments are replaced [F19]", () => {
  expect(parseArguments('{"a":"\\ud83d"}').arguments).toEqual({ a: "\ufffd" });
});

test("cut arguments never run, and tell how far they came [P06]", () => {
  expect(cutArguments('{"a":1}')).toMatchObject({ arguments: {}, problem: { kind: "cut", raw: '{"a":1}' } });
  expect(cutArguments('{"a":1}').problem?.message).toContain("position 7");
});
