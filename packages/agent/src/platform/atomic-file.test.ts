import { expect, test } from "bun:test";
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { link, workspace } from "@pi-ts/testkit";
import { writeFileAtomic } from "./atomic-file.ts";
import { ensurePrivateFolder } from "./private-folder.ts";

const posix = process.platform !== "win32";

function failure(run: () => void): { code?: string; message?: string; hint?: string } {
  try {
    run();
  } catch (thrown) {
    return thrown as { code: string; message: string; hint: string };
  }
  throw new Error("nothing was thrown");
}

test("a new file holds the content and is private, and no temporary file stays [K01]", async () => {
  await using ws = await workspace({});
  writeFileAtomic(ws.at("config.json"), "é\n");
  expect(ws.read("config.json")).toBe("é\n");
  expect(readdirSync(ws.path)).toEqual(["config.json"]);
  if (posix) expect(statSync(ws.at("config.json")).mode & 0o777).toBe(0o600);
});

test("an existing file keeps its mode unless one is given [K01]", async () => {
  await using ws = await workspace({ "a.json": "old", "b.json": "old" });
  if (!posix) return;
  chmodSync(ws.at("a.json"), 0o640);
  chmodSync(ws.at("b.json"), 0o644);
  writeFileAtomic(ws.at("a.json"), "new");
  writeFileAtomic(ws.at("b.json"), "new", { mode: 0o600 });
  expect(statSync(ws.at("a.json")).mode & 0o777).toBe(0o640);
  expect(statSync(ws.at("b.json")).mode & 0o777).toBe(0o600);
});

test("a chain of links stays and the file behind it is replaced, also when that does not exist yet [K01]", async () => {
  await using ws = await workspace({
    "dotfiles/real.json": "old",
    "config.json": link("middle.json"),
    "middle.json": link("dotfiles/real.json"),
    "fresh.json": link("dotfiles/fresh.json"),
  });
  writeFileAtomic(ws.at("config.json"), "new");
  writeFileAtomic(ws.at("fresh.json"), "first");
  expect(lstatSync(ws.at("config.json")).isSymbolicLink()).toBe(true);
  expect(lstatSync(ws.at("fresh.json")).isSymbolicLink()).toBe(true);
  expect(ws.read("dotfiles/real.json")).toBe("new");
  expect(ws.read("dotfiles/fresh.json")).toBe("first");
});

test("a link that points at itself is refused by name", async () => {
  await using ws = await workspace({ "loop.json": link("loop.json") });
  expect(failure(() => writeFileAtomic(ws.at("loop.json"), "x"))).toMatchObject({ code: "file_loop" });
});

test("a folder in the file's place is refused and stays", async () => {
  await using ws = await workspace({ "config.json/inner": "x" });
  expect(failure(() => writeFileAtomic(ws.at("config.json"), "x"))).toMatchObject({ code: "file_is_folder" });
  expect(readdirSync(ws.path)).toEqual(["config.json"]);
});

test("a missing folder is named in words, with what to do", async () => {
  await using ws = await workspace({});
  const error = failure(() => writeFileAtomic(join(ws.path, "no/such/file"), "x"));
  expect(error.code).toBe("file_missing");
  expect(error.message).toContain(join(ws.path, "no/such/file"));
  expect(error.hint).toBeString();
});

test("a full disk leaves the old file byte for byte and no temporary file, and is named [B10]", async () => {
  const { runProcess } = await import("@pi-ts/testkit");
  await using ws = await workspace({ "config.json": "old content" });
  if (process.platform !== "linux") return;
  // A limit on file size stands in for a full disk: the write fails half way.
  const code = `process.on("SIGXFSZ", () => {}); const { writeFileAtomic } = await import(${JSON.stringify(import.meta.resolve("./atomic-file.ts"))});
    try { writeFileAtomic(${JSON.stringify(ws.at("config.json"))}, "x".repeat(1e6)); console.log("written"); } catch (e) { console.log(e.code, e.message); }`;
  const shell = `ulimit -f 8; exec "$0" --no-env-file -e "$1"`;
  const result = await runProcess(["bash", "-c", shell, process.execPath, code], {
    cwd: ws.path,
    env: ws.env(),
  });
  expect(result.stdout).toMatch(/^file_(failed|no_space) cannot write/);
  expect(readFileSync(ws.at("config.json"), "utf8")).toBe("old content");
  expect(readdirSync(ws.path)).toEqual(["config.json"]);
});

test("a private folder is made with its parents, and an open one of ours is closed [C13]", async () => {
  await using ws = await workspace({ "open/inner": "x" });
  ensurePrivateFolder(ws.at("a/b"));
  ensurePrivateFolder(ws.at("open"));
  if (!posix) return;
  for (const path of ["a", "a/b", "open"]) expect(statSync(ws.at(path)).mode & 0o777).toBe(0o700);
});

test("a file in a private folder's place is an error in words", async () => {
  await using ws = await workspace({ file: "x" });
  const error = failure(() => ensurePrivateFolder(ws.at("file/inner")));
  expect(error.code).toBe("file_not_folder");
});

test("a FIFO or a device, also behind a link, is never replaced by a file [K01]", async () => {
  if (process.platform === "win32") return;
  await using ws = await workspace({});
  Bun.spawnSync(["mkfifo", ws.at("pipe")]);
  symlinkSync(ws.at("pipe"), ws.at("link"));
  for (const name of ["pipe", "link"])
    expect(() => writeFileAtomic(ws.at(name), "x")).toThrow("it is not a file");
  expect(statSync(ws.at("pipe")).isFIFO()).toBe(true);
  expect(readdirSync(ws.path).sort()).toEqual(["link", "pipe"]);
});
