import { expect, test } from "bun:test";
import { lstatSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { link, workspace } from "@pi-ts/testkit";
import { createPlaceDoor } from "./place-door.ts";

const WAYS = process.platform === "linux" ? (["handles", "paths"] as const) : (["paths"] as const);
const text = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString());
const code = (name: string) => expect.objectContaining({ code: name });

test.each(WAYS)(
  "a link is looked at, replaced and removed itself, never what it leads to (%s) [F16]",
  async (way) => {
    await using ws = await workspace({ "a.txt": "one" });
    const target = join(ws.outside, "target.txt");
    ws.write(target, "not ours");
    const places = createPlaceDoor(ws.path, way);
    for (const name of ["l1", "l2", "l3"]) places.link(name, target);
    expect(places.look("l1")).toEqual({ kind: "link", target });
    expect(() => places.read("l1", 100)).toThrow(code("file_special"));
    places.write("l1", Buffer.from("two"), 0o640);
    places.remove("l2", 0);
    places.link("l3", "a.txt");
    expect(lstatSync(ws.at("l1")).isFile()).toBe(true);
    expect([ws.read("l1"), ws.exists("l2"), readlinkSync(ws.at("l3"))]).toEqual(["two", false, "a.txt"]);
    expect(ws.read(target)).toBe("not ours");
  },
);

test.each(WAYS)(
  "nothing is reached through a folder that leads out of the project (%s) [F16]",
  async (way) => {
    await using ws = await workspace({ out: link("../outside"), in: link("real"), "real/a.txt": "one" });
    ws.write(join(ws.outside, "a.txt"), "not ours");
    const places = createPlaceDoor(ws.path, way);
    for (const path of ["out/a.txt", "../outside/a.txt", join(ws.outside, "a.txt")]) {
      expect(() => places.look(path)).toThrow(code("file_outside"));
      expect(() => places.read(path, 100)).toThrow(code("file_outside"));
      expect(() => places.write(path, Buffer.from("x"), 0o600)).toThrow(code("file_outside"));
      expect(() => places.remove(path, 1)).toThrow(code("file_outside"));
      expect(() => places.link(path, "x")).toThrow(code("file_outside"));
    }
    expect(text(places.read("in/a.txt", 100))).toBe("one");
    expect(ws.read(join(ws.outside, "a.txt"))).toBe("not ours");
  },
);

test.each(WAYS)("a file gets exactly the mode that is asked for, also a read-only one (%s)", async (way) => {
  await using ws = await workspace({ "a.txt": "one" });
  const places = createPlaceDoor(ws.path, way);
  places.write("a.txt", Buffer.from("two"), 0o444);
  places.write("a.txt", Buffer.from("three"), 0o755);
  places.write("deep/er/b.txt", Buffer.from("new"), 0o600);
  places.setMode("a.txt", 0o700);
  expect(ws.read("a.txt")).toBe("three");
  if (process.platform === "win32") return;
  expect(["a.txt", "deep/er/b.txt"].map((path) => statSync(ws.at(path)).mode & 0o777)).toEqual([
    0o700, 0o600,
  ]);
});

test("a missing path tells how many folders are missing, and removing takes as many with it when they are empty", async () => {
  await using ws = await workspace({ "kept/x.txt": "x" });
  const places = createPlaceDoor(ws.path);
  expect(places.look("kept/a/b/c.txt")).toEqual({ kind: "missing", folders: 2 });
  expect(places.look("kept/x.txt/y")).toEqual({ kind: "missing", folders: 0 });
  places.write("kept/a/b/c.txt", Buffer.from("c"), 0o644);
  ws.write("kept/a/other.txt", "o");
  places.remove("kept/a/b/c.txt", 5);
  expect(Object.keys(ws.snapshot()).sort()).toEqual(["kept", "kept/a", "kept/a/other.txt", "kept/x.txt"]);
});

test("git's hooks, our settings and secret files are not touched", async () => {
  await using ws = await workspace({
    ".env": "KEY=1",
    ".git/hooks/pre-commit": "x",
    ".pi-go/config.json": "{}",
  });
  const places = createPlaceDoor(ws.path);
  for (const path of [".git/hooks/pre-commit", ".git/config", ".pi-go/config.json"]) {
    expect(() => places.write(path, Buffer.from("x"), 0o755)).toThrow(code("file_denied"));
    expect(() => places.remove(path, 0)).toThrow(code("file_denied"));
  }
  expect(() => places.read(".env", 100)).toThrow(code("file_secret"));
  expect(() => places.write(".env", Buffer.from("x"), 0o600)).toThrow(code("file_secret"));
  expect(() => places.remove(".env", 0)).toThrow(code("file_secret"));
});

test("a file with more bytes than wanted is not read", async () => {
  await using ws = await workspace({ "a.txt": "four" });
  const places = createPlaceDoor(ws.path);
  expect(text(places.read("a.txt", 4))).toBe("four");
  expect(places.read("a.txt", 3)).toBeNull();
});
