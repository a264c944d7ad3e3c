/** The sub-commands: what a first hour with pi consists of. */
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fail, modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { builtPi, pi, startPi, TEST_KEY, WIRES, wireSetup } from "./support/pi.ts";
import { stateFolder } from "./support/state.ts";

/** A closed port: no Ollama of this machine may answer. */
const NOBODY = { OLLAMA_HOST: "http://127.0.0.1:9" };

const canUnshare =
  process.platform === "linux" && spawnSync("unshare", ["--net", "--map-root-user", "true"]).status === 0;
/** The agent without any network, where the machine lets a test take it away. */
const OFFLINE = canUnshare ? ["unshare", "--net", "--map-root-user", builtPi()] : [builtPi()];

function expectNothingLeft(ws: Workspace): void {
  expect(ws.snapshotOf("temp")).toEqual({});
  expect(ws.snapshot()).toEqual({});
}

test("pi demo needs no key and no network, says that its model is scripted, mends the project and leaves nothing", async () => {
  await using ws = await workspace();
  const result = await pi(ws, ["demo"], { env: NOBODY, entrance: OFFLINE });
  expect(result.code).toBe(0);
  expect(result.stderr).toMatch(/SCRIPTED/);
  expect(result.stdout).toMatch(/^-.*\n\+.*/m);
  expect(result.stdout).toContain("all tests pass");
  expectNothingLeft(ws);
});

test("pi demo uses no key and no address of the environment, and writes nothing to the user's state", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const { env } = wireSetup(server, "anthropic");
  const result = await pi(ws, ["demo"], { env });
  expect(result.code).toBe(0);
  expect(server.requests).toEqual([]);
  expect(Object.keys(ws.snapshotOf("home")).filter((name) => !/^\.pi-go(\/cache.*)?$/.test(name))).toEqual(
    [],
  );
});

test.if(process.platform !== "win32")("an interrupted pi demo leaves nothing either", async () => {
  await using ws = await workspace();
  await using running = startPi(ws, ["demo"], { env: NOBODY });
  await running.waitForOutput(/> tree/);
  running.kill("SIGINT");
  expect([0, 130]).toContain((await running.exited).code!);
  expectNothingLeft(ws);
});

test("without a key a prompt exits with 4 and names what to set, the file for it, and pi demo", async () => {
  await using ws = await workspace();
  const result = await pi(ws, ["-p", "hi"], { env: NOBODY, entrance: OFFLINE });
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 4, stdout: "" });
  for (const told of ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "Ollama", "pi demo"])
    expect(result.stderr).toContain(told);
  expect(result.stderr).toContain(join(stateFolder(ws), ".env"));
});

test("pi doctor --json is one JSON object; without a key it is not ready and exits with 1, and shows no key", async () => {
  await using ws = await workspace();
  const bare = await pi(ws, ["doctor", "--json"], { env: NOBODY });
  expect(bare.code).toBe(1);
  const told = JSON.parse(bare.stdout) as { ready: boolean; checks: Record<string, string>[] };
  expect(told.ready).toBe(false);
  expect(told.checks.find(({ name }) => name === "model")).toMatchObject({ state: "missing" });
  const ready = await pi(ws, ["doctor", "--json"], { env: { ANTHROPIC_API_KEY: TEST_KEY } });
  expect(ready.code).toBe(0);
  expect(ready.stdout + ready.stderr).not.toContain(TEST_KEY);
  const { checks } = JSON.parse(ready.stdout) as { checks: Record<string, string>[] };
  expect(checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["pi", "state folder", "model", "bash", "sandbox", "git", "ripgrep"]),
  );
});

test("pi doctor names what is missing and what to do, and a broken configuration with its line", async () => {
  await using ws = await workspace({ "bin/": "" });
  ws.write(join(stateFolder(ws), "config.json"), '{\n  "roles": nonsense\n}');
  const env = { ANTHROPIC_API_KEY: TEST_KEY, PATH: join(ws.path, "bin") };
  const result = await pi(ws, ["doctor"], { env });
  expect(result.stdout).toMatch(/git +not installed/);
  expect(result.stdout).toMatch(/config\.json.*line 2/);
});

test("the first word is a sub-command only when it is one exactly; words around it make a prompt", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("ok")]);
  const { env, model } = wireSetup(server, "anthropic");
  const prompts = [
    ["-p", "demo", "--model", model],
    ["--model", model, "--", "demo"],
    ["demo", "of", "the", "API", "--model", model],
    ["doctors", "--model", model],
  ];
  for (const argv of prompts) expect((await pi(ws, argv, { env })).stdout).toBe("ok\n");
  expect(server.requests.map((request) => request.userTexts.at(-1))).toEqual([
    "demo",
    "demo",
    "demo of the API",
    "doctors",
  ]);
});

test.each(WIRES)(
  "pi ping over %s goes where a prompt goes, with the same headers, and shows no whole key [U03][A-PROV-06]",
  async (wire) => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.reply(say("pong"));
    server.reply(say("ok"));
    const { env, model } = wireSetup(server, wire);
    const extra = ["--model", model, "--header", "x-team=blue"];
    const ping = await pi(ws, ["ping", ...extra], { env });
    expect(ping.code).toBe(0);
    expect(ping.stdout).toMatch(/alive/);
    expect(ping.stdout).toContain(server.baseUrl(wire));
    expect(ping.stdout + ping.stderr).not.toContain(TEST_KEY);
    expect((await pi(ws, [...extra, "-p", "hi"], { env })).code).toBe(0);
    const [pinged, prompted] = [server.request(1), server.request(2)];
    const comparable = ({ headers }: typeof pinged) => {
      const { "content-length": _, ...others } = headers;
      return others;
    };
    expect(pinged.path).toBe(prompted.path);
    expect(pinged.model).toBe(prompted.model);
    expect(comparable(pinged)).toEqual(comparable(prompted));
    expect(pinged.headers["x-team"]).toBe("blue");
  },
);

test("pi ping tells what the service said and exits with 1", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(fail(401));
  const { env, model } = wireSetup(server, "anthropic");
  const result = await pi(ws, ["ping", "--model", model], { env });
  expect(result.code).toBe(1);
  expect(result.stdout).toMatch(/401[\s\S]*API key/);
  expect(server.requests).toHaveLength(1);
});

test("pi models lists what the services offer and finds a part of a name", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const { env } = wireSetup(server, "anthropic");
  const all = await pi(ws, ["models"], { env: { ...NOBODY, ...env } });
  expect(all.code).toBe(0);
  expect(all.stdout).toMatch(/anthropic\/test-model[\s\S]*anthropic\/small-model/);
  const some = await pi(ws, ["models", "small"], { env: { ...NOBODY, ...env } });
  expect(some.stdout).toContain("anthropic/small-model");
  expect(some.stdout).not.toContain("test-model");
  for (const request of server.otherRequests) expect(request.headers["x-api-key"]).toBe(TEST_KEY);
});

test("--version and --help answer at once, without a key, and touch nothing", async () => {
  await using ws = await workspace();
  const version = await pi(ws, ["--version"]);
  expect({ code: version.code, stderr: version.stderr }).toEqual({ code: 0, stderr: "" });
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const help = await pi(ws, ["--help"]);
  expect(help.code).toBe(0);
  for (const word of ["--continue", "--sandbox", "pi demo", "124", "PI_HOME"])
    expect(help.stdout).toContain(word);
  expect(ws.snapshotOf("home")).toEqual({});
});

test("a model that only its service knows runs with the service's limits once pi models has asked", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.models = [{ id: "model-of-tomorrow", contextWindow: 500_000 }];
  server.otherwise(() => [say("hello")]);
  const { env } = wireSetup(server, "anthropic");
  const ask = () =>
    pi(ws, ["--model", "anthropic/model-of-tomorrow", "-p", "hi"], { env: { ...NOBODY, ...env } });
  expect((await ask()).stderr).toContain("careful limits");
  expect((await pi(ws, ["models"], { env: { ...NOBODY, ...env } })).code).toBe(0);
  expect(await ask()).toMatchObject({ code: 0, stdout: "hello\n", stderr: "" });
});
