/** Places that are not what they should be: `pi` ends soon, says what is wrong, and leaves nothing where it should not. */
import { expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { call, fail, hang, modelServer, runProcess, say, workspace } from "@pi-ts/testkit";
import { commandFor, pi } from "./support/pi.ts";

const onPosix = test.skipIf(process.platform === "win32");

onPosix("a FIFO in the place of one session's meta.json holds up no --continue [C02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({});
  server.reply(say("one"));
  await pi(ws, ["-p", "first"], { server });
  const sessions = join(ws.home, ".pi-go", "sessions");
  const [id] = (await Array.fromAsync(new Bun.Glob("*/events.jsonl").scan(sessions))).map(
    (path) => path.split("/")[0]!,
  );
  rmSync(join(sessions, id!, "meta.json"));
  Bun.spawnSync(["mkfifo", join(sessions, id!, "meta.json")]);
  server.reply(say("two"));
  const result = await pi(ws, ["-c", "-p", "second"], { server });
  expect(result).toMatchObject({ code: 0, stdout: "two\n" });
  expect(server.request(2).userTexts).toContain("first");
});

onPosix(
  "a FIFO in the place of usage.json is told on stderr at the end, and the answer counts [Q03][H03]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace({});
    Bun.spawnSync(["mkdir", "-p", join(ws.home, ".pi-go")]);
    Bun.spawnSync(["mkfifo", join(ws.home, ".pi-go", "usage.json")]);
    server.reply(say("hello"));
    const { code, stdout, stderr } = await pi(ws, ["-p", "go"], { server });
    expect([code, stdout]).toEqual([0, "hello\n"]);
    expect(stderr).toMatch(/warning: today's tokens are counted in memory only: .*usage\.json/);
  },
);

onPosix("an answer that cannot be written to stdout is told, and is no success [H03][B10]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({});
  for (const mode of ["print", "json"]) {
    server.otherwise(() => [say("hello")]);
    const { command, rest } = commandFor(ws, ["--mode", mode, "-p", "go"], { server });
    const result = await runProcess(["sh", "-c", '"$@" > /dev/full', "sh", ...command], rest);
    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("cannot write to stdout: no space left"),
    });
  }
});

test("a relative HOME is refused and puts nothing into the project, also in JSON mode [K01]", async () => {
  await using ws = await workspace({});
  const result = await pi(ws, ["--mode", "json", "-p", "go"], {
    env: { HOME: "relative", PI_HOME: undefined },
  });
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('HOME is "relative"') });
  expect(result.stdout).toContain('"type":"message_end"');
  expect(ws.exists("relative")).toBe(false);
});

test("--timeout ends a sub-command, too [H03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({});
  server.reply(hang());
  const result = await pi(ws, ["ping", "--model", "anthropic/claude-opus-5-5", "--timeout", "0.3"], {
    server,
  });
  expect(result.code).toBe(124);
});

test("the password of an address is shown by no command and no failure [X05]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({});
  server.otherwise(() => [fail(401)]);
  const address = server.url.replace("://", "://user:topsecret-1@");
  const env = { ANTHROPIC_BASE_URL: address };
  const model = ["--model", "anthropic/claude-opus-5-5"];
  for (const argv of [
    ["ping", ...model],
    ["doctor", ...model],
    [...model, "--debug", "-p", "go"],
    [...model, "--mode", "json", "-p", "go"],
  ]) {
    const { stdout, stderr } = await pi(ws, argv, { server, env });
    expect(stdout + stderr).not.toContain("topsecret-1");
  }
});

test("a project with nothing but an .mcp.json is named by it as not trusted [X01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ ".mcp.json": "{}" });
  server.reply(say("hello"));
  const { stdout, stderr } = await pi(ws, ["-p", "go"], { server });
  expect(stdout).toBe("hello\n");
  expect(stderr).toContain(`warning: ${join(ws.path, ".mcp.json")} is not trusted`);
});

onPosix("links that lead round in a circle in a cloned project stop no start [X01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({});
  for (const name of [".pi-go", ".mcp.json", "AGENTS.md", ".git", ".gitignore"])
    symlinkSync(name, ws.at(name));
  server.reply(say("hello"));
  expect(await pi(ws, ["-p", "go"], { server })).toMatchObject({ code: 0, stdout: "hello\n" });
});

test.each([[["-p", "go"]], [["ping"]], [["doctor"]]])(
  "keys that lie in a file that cannot be used are no missing keys: %j names the file [U03][K01]",
  async (argv) => {
    await using ws = await workspace({});
    mkdirSync(join(ws.home, ".pi-go", ".env"), { recursive: true });
    const { stdout, stderr } = await pi(ws, argv, { env: { OLLAMA_HOST: "127.0.0.1:1" } });
    expect(stdout + stderr).toContain(`${join(ws.home, ".pi-go", ".env")} is not used: it is not a file`);
  },
);

onPosix("a TMPDIR that is not there is named with what to do, where a command needs it [B10]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({});
  server.reply(call("bash", { command: `echo ${"x".repeat(200_000)}` }));
  server.reply(say("I see"));
  const gone = join(ws.outside, "gone");
  await pi(ws, ["-p", "go"], { server, env: { TMPDIR: gone } });
  const [bash] = server.request(2).results;
  expect(bash!.text).toContain(gone);
  expect(bash!.text).toContain("set TMPDIR to another folder");
  expect(bash!.text).not.toContain("--sandbox off");
});
