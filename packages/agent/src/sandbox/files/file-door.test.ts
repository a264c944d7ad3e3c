import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { link, runProcess, type Workspace, workspace } from "@pi-ts/testkit";
import { isPiError } from "../../contract/errors.ts";
import { createFileDoor } from "./file-door.ts";

const KINDS = process.platform === "linux" ? (["handles", "paths"] as const) : (["paths"] as const);

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (from: string) => new TextEncoder().encode(from);

/** The code of what a call throws, or what it gives. */
function result(call: () => unknown): unknown {
  try {
    return call();
  } catch (thrown) {
    if (isPiError(thrown)) return thrown.code;
    throw thrown;
  }
}

for (const confinement of KINDS) {
  const doorOf = (ws: Workspace, root = ws.path) => createFileDoor({ root, confinement });
  const read = (ws: Workspace, path: string, root?: string) =>
    result(() => text(doorOf(ws, root).readAll(path, 1000)));

  describe(`confinement by ${confinement}`, () => {
    test("what a shell would expand makes no folder called ~ or file:, but a real one is used [F17]", async () => {
      await using ws = await workspace({ "src/a.txt": "one" });
      const door = doorOf(ws);
      for (const path of ["~/x", "~", "$HOME/x", `$${"{HOME}/x"}`, "file:///tmp/x"])
        expect(result(() => door.write(path, bytes("x")))).toBe("file_outside");
      expect(() => door.stat("~/src/a.txt")).toThrow(
        expect.objectContaining({ hint: expect.stringContaining("src/a.txt") }),
      );
      expect(readdirSync(ws.path)).toEqual(["src"]);
      mkdirSync(join(ws.path, "~"));
      expect(door.write("~/x", bytes("x")).path).toBe("~/x");
      expect(door.write("~backup", bytes("x")).created).toBe(true);
    });

    test("every spelling of a path that stays inside works [F17][A-SAND-01]", async () => {
      await using ws = await workspace({
        "a.txt": "a",
        "..foo": "dots",
        "src/x.ts": "x",
        inner: link("src/x.ts"),
        folder: link("src"),
        back: link("../project/src"),
        "src/up": link("../a.txt"),
      });
      symlinkSync(join(ws.path, "src", "x.ts"), join(ws.path, "absolute"));
      const alias = join(ws.outside, "alias");
      symlinkSync(ws.path, alias);
      const table: Record<string, string> = {
        "a.txt": "a",
        "./a.txt": "a",
        "src/../a.txt": "a",
        "folder/../a.txt": "a",
        "missing/../a.txt": "a",
        "../project/a.txt": "a",
        "..foo": "dots",
        inner: "x",
        "folder/x.ts": "x",
        "back/x.ts": "x",
        absolute: "x",
        "src/up": "a",
        [join(ws.path, "a.txt")]: "a",
        [`${ws.path}/src/..//a.txt`]: "a",
        [join(alias, "a.txt")]: "a",
        [join(alias, "src", "x.ts")]: "x",
      };
      for (const root of [ws.path, alias, `${alias}/`]) {
        const found = Object.fromEntries(Object.keys(table).map((path) => [path, read(ws, path, root)]));
        expect(found).toEqual(table);
      }
    });

    test("no path, link or chain of links leads outside [F16][A-SAND-01]", async () => {
      await using ws = await workspace({ "src/x.ts": "x", d: link(".."), loop: link("loop") });
      ws.write(join(ws.outside, "secret.txt"), "outside");
      ws.write(`${ws.path}-evil/f.txt`, "evil");
      symlinkSync(ws.outside, join(ws.path, "out"));
      symlinkSync(join(ws.outside, "secret.txt"), join(ws.path, "file"));
      symlinkSync(join(ws.outside, "new.txt"), join(ws.path, "dangling"));
      symlinkSync("out", join(ws.path, "out2"));
      const door = doorOf(ws);
      const before = ws.snapshotOf("outside");
      const paths = [
        "..",
        "../outside/secret.txt",
        "out/secret.txt",
        "out2/secret.txt",
        "out/new.txt",
        "out/a/b/new.txt",
        "file",
        "dangling",
        "d/outside/secret.txt",
        "d/d2",
        "src/../../outside/secret.txt",
        join(ws.outside, "secret.txt"),
        `${ws.path}-evil/f.txt`,
        "/etc/passwd",
        "/",
      ];
      for (const path of paths) {
        expect([path, result(() => door.readAll(path, 1000))]).toEqual([path, "file_outside"]);
        expect([path, result(() => door.write(path, bytes("x")))]).toEqual([path, "file_outside"]);
        expect([path, result(() => door.list(path))]).toEqual([path, "file_outside"]);
        expect([path, result(() => door.stat(path))]).toEqual([path, "file_outside"]);
        expect([path, result(() => door.real(path))]).toEqual([path, "file_outside"]);
      }
      expect(read(ws, "loop")).toBe("file_loop");
      expect(ws.snapshotOf("outside")).toEqual(before);
      expect(ws.read(`${ws.path}-evil/f.txt`)).toBe("evil");
    });

    test("a refused path comes with the path inside that was probably meant [F17]", async () => {
      await using ws = await workspace({ "go.mod": "module m", "pkg/a.go": "package a" });
      const hint = (path: string) => {
        try {
          doorOf(ws).readAll(path, 1000);
          return "read";
        } catch (thrown) {
          return isPiError(thrown) ? `${thrown.code} ${thrown.hint}` : String(thrown);
        }
      };
      expect(hint("../../go.mod")).toContain("file_outside In this project that is go.mod");
      expect(hint("/home/me/other/pkg/a.go")).toContain("pkg/a.go: use this path");
      expect(hint("../nothing.txt")).toContain("Only paths inside the project");
    });

    test("names the OS cannot have are refused by name, not by crash [F17]", async () => {
      await using ws = await workspace({ "a.txt": "a" });
      expect(read(ws, "a\0.txt")).toBe("file_name");
      expect(read(ws, "x".repeat(5000))).toBe("file_name");
      expect(read(ws, "")).toBe("file_name");
      expect(read(ws, "a\ud83d.txt")).toBe("file_name");
      expect(result(() => doorOf(ws).write("x".repeat(300), bytes("x")))).toBe("file_name");
      expect(read(ws, "a.txt/b")).toBe("file_not_folder");
      expect(read(ws, "a.txt/")).toBe("file_not_folder");
      expect(read(ws, "none/b")).toBe("file_missing");
    });

    test("devices, sockets and FIFOs are neither opened nor replaced", async () => {
      await using ws = await workspace({});
      await runProcess(["mkfifo", join(ws.path, "fifo")]);
      const server = createServer().listen(join(ws.path, "socket"));
      await new Promise((resolve) => server.once("listening", resolve));
      try {
        for (const path of ["fifo", "socket"]) {
          expect(read(ws, path)).toBe("file_special");
          expect(result(() => doorOf(ws).write(path, bytes("x")))).toBe("file_special");
        }
      } finally {
        server.close();
      }
    });

    test("secret files are found under their real name and never opened [X04]", async () => {
      await using ws = await workspace({
        ".env": "KEY=1",
        ".env.example": "KEY=",
        "innocent.txt": link(".env"),
        keys: link(".env"),
        "plain.txt": "p",
        "sub/.env.local": link("../plain.txt"),
        "venv/.env/lib.py": "code",
      });
      const door = doorOf(ws);
      for (const path of [".env", "innocent.txt", "keys", "./sub/../.env", join(ws.path, ".env")]) {
        expect([path, read(ws, path), door.isSecret(path)]).toEqual([path, "file_secret", true]);
        expect(result(() => door.write(path, bytes("x")))).toBe("file_secret");
      }
      expect(door.isSecret("sub/.env.local")).toBe(true);
      expect([door.isSecret("venv/.env"), read(ws, "venv/.env/lib.py")]).toEqual([false, "code"]);
      expect([read(ws, ".env.example"), door.isSecret(".env.example")]).toEqual(["KEY=", false]);
      expect(door.list(".").map((entry) => entry.name)).toContain(".env");
      expect(ws.read(".env")).toBe("KEY=1");
    });

    test("all spellings of a file have one key, also before it exists [F05]", async () => {
      await using ws = await workspace({ "src/a.ts": "a", link: link("src/a.ts"), s: link("src") });
      const door = doorOf(ws);
      const keys = ["src/a.ts", "./src/a.ts", "link", "s/a.ts", "s/../src/a.ts", join(ws.path, "src/a.ts")];
      expect(new Set(keys.map((path) => door.key(path))).size).toBe(1);
      expect(door.key("s/new.ts")).toBe(door.key("src/new.ts"));
      expect(door.key("src/new.ts")).not.toBe(door.key("src/a.ts"));
      expect(() => door.key("../../x\0")).not.toThrow();
    });

    test("a folder lists in byte order with kinds, sizes and link targets, not following links", async () => {
      await using ws = await workspace({
        "b.txt": "12345",
        "a/x": "x",
        "B.txt": "",
        l: link("nowhere"),
        é: "",
        "😀": "",
        "\uffee": "",
      });
      expect(doorOf(ws).list(".")).toEqual([
        { name: "B.txt", kind: "file", size: 0 },
        { name: "a", kind: "folder", size: 0 },
        { name: "b.txt", kind: "file", size: 5 },
        { name: "l", kind: "link", size: 0, target: "nowhere" },
        { name: "é", kind: "file", size: 0 },
        { name: "\uffee", kind: "file", size: 0 },
        { name: "😀", kind: "file", size: 0 },
      ]);
      expect(
        doorOf(ws)
          .list(".", { sizes: false })
          .find((entry) => entry.name === "b.txt")?.size,
      ).toBe(0);
    });

    test("extra roots may be read and never written, also when they are made later", async () => {
      await using ws = await workspace({ "a.txt": "a" });
      const spill = join(ws.home, "spill");
      const door = createFileDoor({ root: ws.path, extraRoots: [spill], confinement });
      expect(result(() => door.readAll(join(spill, "o.txt"), 100))).toBe("file_outside");
      mkdirSync(spill);
      ws.write(join(spill, "o.txt"), "out");
      symlinkSync(join(ws.path, "a.txt"), join(spill, "in"));
      symlinkSync("../..", join(spill, "up"));
      expect(text(door.readAll(join(spill, "o.txt"), 100))).toBe("out");
      expect(text(door.readAll(join(spill, "in"), 100))).toBe("a");
      expect(door.display(join(spill, "o.txt"))).toBe(join(spill, "o.txt"));
      expect(result(() => door.write(join(spill, "o.txt"), bytes("x")))).toBe("file_outside");
      expect(result(() => door.list(join(spill, "up")))).toBe("file_outside");
    });

    test("a project inside of an extra root can be written", async () => {
      await using ws = await workspace({ "p/a.txt": "a" });
      const door = createFileDoor({ root: join(ws.path, "p"), extraRoots: [ws.path], confinement });
      door.write("../p/a.txt", bytes("b"));
      expect(ws.read("p/a.txt")).toBe("b");
      expect(result(() => door.write("../c.txt", bytes("b")))).toBe("file_outside");
    });

    test("a file larger than asked for is refused with its size", async () => {
      await using ws = await workspace({ "a.txt": "12345" });
      expect(text(doorOf(ws).readAll("a.txt", 5))).toBe("12345");
      expect(result(() => doorOf(ws).readAll("a.txt", 4))).toBe("file_failed");
    });

    test("refusals and successes leave no open descriptor", async () => {
      await using ws = await workspace({ "a/b.txt": "b", l: link("a/b.txt"), loop: link("loop") });
      const open = () => (process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0);
      const door = doorOf(ws);
      const before = open();
      for (let round = 0; round < 20; round++) {
        for (const path of ["a/b.txt", "l", "loop", "a", "..", "none", "a/b.txt/c", "/etc"]) {
          result(() => door.readAll(path, 100));
          result(() => door.list(path));
          result(() => door.write(path, bytes("b")));
          result(() => door.key(path));
        }
      }
      expect(open()).toBe(before);
    });
  });
}

test.skipIf(process.platform !== "linux")(
  "bytes of a name that are no UTF-8 are shown and do not hide other entries [S07]",
  async () => {
    await using ws = await workspace({ "ok.txt": "" });
    await runProcess(["bash", "-c", "touch $'caf\\xe9' $'caf\\xe8'"], { cwd: ws.path });
    const names = createFileDoor({ root: ws.path })
      .list(".")
      .map((entry) => entry.name);
    expect(names).toEqual(["caf\\xE8", "caf\\xE9", "ok.txt"]);
  },
);

test.skipIf(process.platform !== "linux")(
  "a name that is no UTF-8 is reached as it is shown, unless a file is called by those characters [S07]",
  async () => {
    await using ws = await workspace({ "both\\xE9": "letters" });
    const script = "mkdir $'d\\xe9'; printf old > $'d\\xe9/caf\\xe9'; printf byte > $'both\\xe9'";
    await runProcess(["bash", "-c", script], { cwd: ws.path });
    const door = createFileDoor({ root: ws.path });
    const read = (path: string) => new TextDecoder().decode(door.readAll(path, 100));
    expect(read("both\\xE9")).toBe("letters");
    expect(door.write("d\\xe9/caf\\xe9", new TextEncoder().encode("new"))).toMatchObject({
      created: false,
      path: "d\\xE9/caf\\xE9",
    });
    expect(read("d\\xE9/caf\\xE9")).toBe("new");
    expect(door.list("d\\xE9").map((entry) => [entry.name, entry.size])).toEqual([["caf\\xE9", 3]]);
  },
);
