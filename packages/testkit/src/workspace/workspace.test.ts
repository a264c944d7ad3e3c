import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { runProcess } from "../process/run-process.ts";
import { startProcess } from "../process/started-process.ts";
import { executable, link } from "./tree.ts";
import { workspace } from "./workspace.ts";

test("entries become files, links and modes, and a snapshot sees each change", async () => {
  await using ws = await workspace({
    "a.txt": "one",
    "src/x.ts": "two",
    l: link("a.txt"),
    run: executable("#!/bin/sh\n"),
    "empty/": "",
  });
  expect(ws.read("src/x.ts")).toBe("two");
  expect(ws.read("l")).toBe("one");
  const before = ws.snapshot();
  expect(before["l"]).toBe("link -> a.txt");
  expect(before["run"]).toContain("755");
  expect(before["empty"]).toContain("folder");
  ws.write("a.txt", "One");
  expect(ws.snapshot()).not.toEqual(before);
});

test("a git workspace has one commit and ignores the machine's git configuration", async () => {
  await using ws = await workspace({ "a.txt": "one" }, { git: true });
  expect(ws.git("log", "--format=%an %s").trim()).toBe("Test Author first commit");
  expect(ws.git("status", "--porcelain")).toBe("");
  const shown = await runProcess(["git", "config", "--global", "--list"], { cwd: ws.path, env: ws.env() });
  expect(shown.stdout).toBe("");
});

test("the environment passes on nothing of the machine but its paths", async () => {
  process.env["TESTKIT_SECRET_API_KEY"] = "x";
  try {
    await using ws = await workspace();
    const env = ws.env({ EXTRA: "1" });
    expect(env["TESTKIT_SECRET_API_KEY"]).toBeUndefined();
    expect(env["HOME"]).toBe(ws.home);
    expect(env["EXTRA"]).toBe("1");
  } finally {
    delete process.env["TESTKIT_SECRET_API_KEY"];
  }
});

test("home and outside are not below the project", async () => {
  await using ws = await workspace();
  for (const folder of [ws.home, ws.outside]) {
    expect(folder.startsWith(`${ws.path}/`)).toBe(false);
    expect(existsSync(folder)).toBe(true);
  }
});

test("disposal removes everything, also what may not be written", async () => {
  const ws = await workspace({ "locked/a.txt": "one" });
  await runProcess(["chmod", "500", ws.at("locked")]);
  await ws[Symbol.asyncDispose]();
  expect(existsSync(ws.path)).toBe(false);
  expect(existsSync(ws.home)).toBe(false);
});

test.if(process.platform === "linux")(
  "a process that is left behind is killed and fails the disposal",
  async () => {
    const ws = await workspace();
    await using running = startProcess(["sleep", "300"], { env: ws.env() });
    await expect((async () => ws[Symbol.asyncDispose]())()).rejects.toThrow("sleep 300");
    expect((await running.exited).signal).toBe("SIGKILL");
  },
);

test.if(process.platform === "linux")(
  "a left process with a cleaned environment is found by its folder",
  async () => {
    const ws = await workspace();
    await using running = startProcess(["sleep", "301"], {
      cwd: ws.path,
      env: { PATH: process.env["PATH"] ?? "" },
    });
    await expect((async () => ws[Symbol.asyncDispose]())()).rejects.toThrow("sleep 301");
    await running.exited;
  },
);
