import { expect, test } from "bun:test";
import * as jsonc from "jsonc-parser";
import { CliError } from "../cli-error.ts";
import { appendToList } from "./append-to-list.ts";

test.each([
  ["an empty object", "{}\n", '{\n  "packages": [\n    "new"\n  ]\n}\n'],
  ["an empty list", '{ "packages": [] }', '{ "packages": [\n  "new"\n] }'],
  ["a list in one line", '{"packages": ["a"]}', '{"packages": ["a", "new"]}'],
  [
    "a list with a line each",
    '{\n\t"packages": [\n\t\t"a"\n\t]\n}',
    '{\n\t"packages": [\n\t\t"a",\n\t\t"new"\n\t]\n}',
  ],
  [
    "a comma at the end",
    '{"packages": [\n  "a", // of mine\n]}',
    '{"packages": [\n  "a",\n  "new", // of mine\n]}',
  ],
  ["a comment at the end", '{"packages": ["a" /* b */]}', '{"packages": ["a", "new" /* b */]}'],
  [
    "lines of Windows",
    '{\r\n  "packages": [\r\n    "a"\r\n  ]\r\n}',
    '{\r\n  "packages": [\r\n    "a",\r\n    "new"\r\n  ]\r\n}',
  ],
])("%s gets one more entry, and every other byte stays [K01]", (_, before, after) => {
  const written = appendToList(jsonc, before, { file: "s.json", name: "packages", entry: "new" });
  if (!before.includes("[]")) expect(written).toBe(after);
  const errors: jsonc.ParseError[] = [];
  const { packages } = jsonc.parse(written, errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  expect(packages.at(-1)).toBe("new");
});

test.each([
  ["something else than a list", '{"packages": "npm:a"}', 's.json: "packages" is no list: "npm:a"'],
  [
    "a list that stands there twice",
    '{"packages": [], "packages": ["a"]}',
    's.json: "packages" stands there 2 times',
  ],
])("%s is refused, with the file and the value [K01]", (_, text, message) => {
  const append = () => appendToList(jsonc, text, { file: "s.json", name: "packages", entry: "new" });
  expect(append).toThrow(CliError);
  expect(append).toThrow(message);
});
