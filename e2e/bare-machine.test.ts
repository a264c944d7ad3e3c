/** A machine where things are missing: no helpers, no network but the model's, no home to write to. */
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { call, modelServer, say, workspace } from "@pi-ts/testkit";
import { builtPi, pi, startPi } from "./support/pi.ts";

const FILES = { "src/a.txt": "needle\n", "src/b.txt": "hay\n" };

test("without rg, git, node or anything else in PATH the agent answers, searches and says what git needs [P19]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ ...FILES, "bin/": "" }, { git: true });
  server.reply(
    call("grep", { pattern: "needle" }),
    call("find", { pattern: "**/*.txt" }),
    call("git-overview"),
  );
  server.reply(say("ok"));
  const result = await pi(ws, ["-p", "go"], { server, env: { PATH: join(ws.path, "bin") } });
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: "ok\n" });
  const [grep, find, git] = server.request(2).results;
  expect(grep?.text).toContain("src/a.txt");
  expect(find?.text).toContain("src/b.txt");
  expect(git?.text).toMatch(/git/);
  expect(git?.text).toMatch(/install|PATH/i);
});

test("with a home that cannot be written the answer comes, the loss is told, and the exit code is not 0 [P19][B10]", async () => {
  await using server = await modelServer();
  await using ws = await workspace(FILES);
  ws.write(join(ws.home, "file"), "no folder");
  server.reply(call("read", { file_path: "src/a.txt" }));
  server.reply(say("ok"));
  const result = await pi(ws, ["-p", "go"], { server, env: { HOME: join(ws.home, "file") } });
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 1, stdout: "ok\n" });
  expect(result.stderr).toMatch(/warning: .*session/);
});

test("with a home that cannot be written and --no-session nothing is lost, so it is a success [P19]", async () => {
  await using server = await modelServer();
  await using ws = await workspace(FILES);
  ws.write(join(ws.home, "file"), "no folder");
  server.reply(say("ok"));
  const env = { HOME: join(ws.home, "file") };
  const result = await pi(ws, ["-p", "--no-session", "go"], { server, env });
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: "ok\n" });
});

test("without HOME at all it finds the home of the user [P19]", async () => {
  await using server = await modelServer();
  await using ws = await workspace(FILES);
  server.reply(say("ok"));
  const env = { HOME: undefined, PI_HOME: join(ws.home, "state") };
  const result = await pi(ws, ["-p", "go"], { server, env });
  expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
});

/** Whether this machine lets a test take the network away. */
const canUnshare =
  process.platform === "linux" && spawnSync("unshare", ["--net", "--map-root-user", "true"]).status === 0;

test.if(canUnshare)(
  "with no network at all only the request fails, and it is tried again [P19]",
  async () => {
    await using ws = await workspace(FILES);
    const entrance = ["unshare", "--net", "--map-root-user", builtPi()];
    const env = { ANTHROPIC_API_KEY: "sk-ant-not-used-0123456789", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };
    await using running = startPi(ws, ["--mode", "json", "-p", "go"], { env, entrance });
    // The first failure is already the model's: everything before it needed no network.
    await running.waitForOutput(/"type":"retry".*network cannot be reached/);
    running.kill("SIGINT");
    expect((await running.exited).code).toBe(130);
  },
);
