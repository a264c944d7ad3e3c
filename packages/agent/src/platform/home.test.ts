import { expect, test } from "bun:test";
import { isAbsolute, join, resolve } from "node:path";
import { homeFolders } from "./home.ts";

test("state lies under HOME, or where PI_HOME says: absolute, relative to the current folder, or below ~ [K01]", () => {
  expect(homeFolders({ HOME: "/h" }).root).toBe(join("/h", ".pi-go"));
  expect(homeFolders({ HOME: "/h", PI_HOME: "/x" }).root).toBe(resolve("/x"));
  expect(homeFolders({ HOME: "/h", PI_HOME: "a b/ü" }).root).toBe(resolve("a b/ü"));
  expect(homeFolders({ HOME: "/h", PI_HOME: "~/x" }).root).toBe(resolve("/h/x"));
  expect(homeFolders({ HOME: "/h", PI_HOME: "~" }).root).toBe(resolve("/h"));
  expect(homeFolders({ HOME: "/h", PI_HOME: " " }).root).toBe(join("/h", ".pi-go"));
});

test("a HOME that is relative never puts state into the current folder: it is refused by name [K01]", () => {
  for (const HOME of ["relative", "./x", "~"])
    expect(() => homeFolders({ HOME })).toThrow(`HOME is "${HOME}", which is not an absolute path`);
  for (const HOME of [undefined, ""]) expect(isAbsolute(homeFolders({ HOME }).root)).toBe(true);
});
