import { expect, test } from "bun:test";
import { editorPath, projectPath } from "./session-folder.ts";

const FOLDER = { real: "/real/p", shown: "/link" };

test.each([
  ["src/a.ts", "/link/src/a.ts"],
  ["/real/p/src/a.ts", "/link/src/a.ts"],
  ["/link/src/a.ts", "/link/src/a.ts"],
  ["/real/p", "/link"],
  ["..foo", "/link/..foo"],
  ["../other/x", "/real/other/x"],
  ["/real/p2/x", "/real/p2/x"],
])("the editor knows %s as %s", (path, expected) => {
  expect(editorPath(path, FOLDER)).toBe(expected);
});

test.each([
  ["src/a.ts", "src/a.ts"],
  ["/real/p/src/a.ts", "src/a.ts"],
  ["/link/src/a.ts", "src/a.ts"],
  ["/link", "."],
  ["/link/..foo", "..foo"],
  ["/elsewhere/x", "/elsewhere/x"],
])("people read %s as %s", (path, expected) => {
  expect(projectPath(path, FOLDER)).toBe(expected);
});
