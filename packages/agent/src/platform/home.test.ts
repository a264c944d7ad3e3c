import { expect, test } from "bun:test";
import { userInfo } from "node:os";
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

test("a HOME that is unset, empty or relative never puts state into the current folder [K01]", () => {
  for (const HOME of [undefined, "", "relative", "./x", "~"]) {
    const { root, user } = homeFolders({ HOME });
    expect([isAbsolute(root), user]).toEqual([true, userInfo().homedir]);
  }
});
