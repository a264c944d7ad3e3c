/** What the published files are made by, where it shows in them: stamps, archives, and connections of the executable. */
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { modelServer, runProcess, say, type Workspace, workspace } from "@pi-ts/testkit";
import { builtPi, pi, ROOT } from "./support/pi.ts";

const SCRIPTS = join(ROOT, "scripts", "distribute");

/** Runs code that uses a module of the scripts, on plain Node. */
function withScript(ws: Workspace, path: string, code: string) {
  const text = `const script = await import(${JSON.stringify(pathToFileURL(path).href)});\n${code}`;
  return runProcess(["node", "--input-type=module", "--eval", text], { cwd: ws.path, env: ws.env() });
}

/** A copy of the scripts that make the stamp, in `checkout/` of the workspace. */
async function stampOf(ws: Workspace): Promise<string> {
  const { cpSync } = await import("node:fs");
  const folder = ws.at("checkout/scripts/distribute");
  mkdirSync(folder, { recursive: true });
  for (const name of ["build-stamp.mjs", "paths.mjs"]) cpSync(join(SCRIPTS, name), join(folder, name));
  const result = await withScript(ws, join(folder, "build-stamp.mjs"), "console.log(script.buildStamp())");
  return result.stdout.trim();
}

test("the build stamp is the commit with its day in UTC, and says when there are changes", async () => {
  await using ws = await workspace();
  await stampOf(ws);
  const git = (...words: string[]) =>
    runProcess(["git", "-C", ws.at("checkout"), ...words], {
      env: ws.env({ GIT_COMMITTER_DATE: "2026-03-01T23:30:00-0500" }),
    });
  for (const words of [
    ["init", "-q"],
    ["add", "."],
    ["commit", "-qm", "one"],
  ])
    await git(...words);
  const commit = (await git("rev-parse", "--short=12", "HEAD")).stdout.trim();
  expect(await stampOf(ws)).toBe(`${commit} of 2026-03-02`);
  ws.write("checkout/new.txt", "new\n");
  expect(await stampOf(ws)).toBe(`${commit} of 2026-03-02, with changes`);
});

test("without git, and inside of somebody else's repository, the build stamp is unknown", async () => {
  await using alone = await workspace();
  expect(await stampOf(alone)).toBe("unknown");
  await using inside = await workspace({ "a.txt": "" }, { git: true });
  expect(await stampOf(inside)).toBe("unknown");
});

/** Writes the same archive twice, from files with different times, and gives both and the exit code of a program that unpacks the first. */
async function archived(ws: Workspace, script: string, writer: string, unpack: readonly string[]) {
  ws.write("run", "#!/bin/sh\n".padEnd(70_000, "x"));
  ws.write("text", "");
  const entries = `[{ name: "top/run", path: "run", executable: true }, { name: "top/text", path: "text" }]`;
  const code = `
    import { utimesSync } from "node:fs";
    for (const name of ["one", "two"]) {
      await script.${writer}(name, ${entries}, 1_770_000_000);
      utimesSync("run", 1, 1);
    }`;
  expect(await withScript(ws, join(SCRIPTS, script), code)).toMatchObject({ code: 0, stderr: "" });
  mkdirSync(ws.at("out"));
  const unpacked = await runProcess([...unpack], { cwd: ws.at("out"), env: ws.env() });
  expect(unpacked).toMatchObject({ code: 0 });
  return { one: ws.bytes("one"), two: ws.bytes("two") };
}

test("a tar archive is the same for the same content, and unpacks with its modes", async () => {
  await using ws = await workspace();
  const { one, two } = await archived(ws, "tar.mjs", "writeTarGz", ["tar", "-xzf", "../one"]);
  expect(Buffer.compare(one, two)).toBe(0);
  expect(ws.bytes("out/top/run")).toEqual(ws.bytes("run"));
  expect(ws.read("out/top/text")).toBe("");
  const run = await runProcess(["test", "-x", ws.at("out/top/run")], {});
  const text = await runProcess(["test", "-x", ws.at("out/top/text")], {});
  expect([run.code, text.code]).toEqual([0, 1]);
});

test.skipIf(Bun.which("unzip") === null)(
  `a zip archive is the same for the same content, and unpacks${Bun.which("unzip") === null ? " (skipped: needs unzip)" : ""}`,
  async () => {
    await using ws = await workspace();
    const { one, two } = await archived(ws, "zip.mjs", "writeZip", ["unzip", "-q", "../one"]);
    expect(Buffer.compare(one, two)).toBe(0);
    expect(ws.bytes("out/top/run")).toEqual(ws.bytes("run"));
    expect(ws.read("out/top/text")).toBe("");
  },
);

/** Whether this machine lets a test see the system calls of a process. */
const STRACE = Bun.which("strace");
const canTrace =
  STRACE !== null &&
  spawnSync(STRACE, ["-f", "-qq", "-e", "trace=connect", "-o", "/dev/null", "true"]).status === 0;

/** Every address that a run of the executable connected or sent to, Unix sockets left out. */
async function addresses(ws: Workspace, argv: readonly string[], options: Parameters<typeof pi>[2] = {}) {
  const log = join(ws.outside, "trace");
  const trace = [STRACE!, "-f", "-qq", "-e", "trace=connect,sendto,sendmsg", "-o", log, builtPi()];
  const result = await pi(ws, argv, { ...options, entrance: trace });
  const found = [...ws.read(log).matchAll(/sin6?_port=htons\((\d+)\).*?"([^"]+)"/g)];
  return { result, addresses: [...new Set(found.map(([, port, host]) => `${host}:${port}`))] };
}

test.skipIf(!canTrace)(
  `a prompt connects to the model's address and to nothing else, not even a name service${canTrace ? "" : " (skipped: needs strace)"}`,
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.reply(say("ok"));
    const seen = await addresses(ws, ["-p", "hi"], { server });
    expect(seen.result).toMatchObject({ code: 0, stdout: "ok\n" });
    expect(seen.addresses).toEqual([new URL(server.baseUrl("anthropic")).host]);
  },
);

test.skipIf(!canTrace)(
  `--version, --help, audit and sessions connect to nothing${canTrace ? "" : " (skipped: needs strace)"}`,
  async () => {
    await using ws = await workspace({ "AGENTS.md": "be short\n" });
    for (const argv of [["--version"], ["--version", "--debug"], ["--help"], ["audit"], ["sessions"]]) {
      const seen = await addresses(ws, argv);
      expect({ argv, addresses: seen.addresses }).toEqual({ argv, addresses: [] });
    }
  },
);
