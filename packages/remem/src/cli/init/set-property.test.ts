import { expect, test } from "bun:test";
import * as jsonc from "jsonc-parser";
import { setProperty } from "./set-property.ts";

const set = (text: string) => setProperty(jsonc, text, ["capture", "enabled"], true);

const CASES: readonly (readonly [string, string, string])[] = [
  ["an empty object", "{}", '{\n  "capture": {\n    "enabled": true\n  }\n}'],
  [
    "a comment behind the last property",
    '{\n    "a": 1 // one\n}\n',
    '{\n    "a": 1, // one\n    "capture": {\n        "enabled": true\n    }\n}\n',
  ],
  [
    "a comma at the end and Windows line ends",
    '{\r\n\t"a": [1, 2],\r\n}\r\n',
    '{\r\n\t"a": [1, 2],\r\n\t"capture": {\r\n\t\t"enabled": true\r\n\t}\r\n}\r\n',
  ],
  [
    "a group on one line",
    '{ "capture": { "review": true } }',
    '{ "capture": { "review": true,\n    "enabled": true\n  } }',
  ],
  [
    "another value",
    '{ "capture": { "enabled": /* no */ false, "review": true } }',
    '{ "capture": { "enabled": /* no */ true, "review": true } }',
  ],
];
test.each(CASES)("a setting is written into %s, and every other byte stays [K01]", (_, before, after) => {
  const written = set(before);
  expect(written).toBe(after);
  expect(jsonc.parse(written, [], { allowTrailingComma: true }).capture.enabled).toBe(true);
  expect(set(written)).toBe(written);
});

test("a group that is no object is refused by name [K01]", () => {
  expect(() => set('{ "capture": 3 }')).toThrow("capture is no object of settings");
});
