/** When the built executable compiles installed extensions: programs that stay do, after their start; one-shots never. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import {
  leftovers,
  type ModelServer,
  modelServer,
  say,
  startTerminal,
  type Workspace,
  workspace,
} from "@pi-ts/testkit";
import { connect } from "../packages/agent/src/client/index.ts";
import { isReady, leave, send } from "./interactive/support.ts";
import { startEditor } from "./support/acp.ts";
import { compile, compiledFiles, install, modulesFolder, says } from "./support/installed.ts";
import { commandFor, pi, startPi } from "./support/pi.ts";

const INSTALLED = {
  small: {
    extensions: ["./index.ts"],
    files: {
      "index.ts": `import { value } from "./value.ts"; ${says("small", "value")}`,
      "value.ts": "export const value = 'one';",
    },
  },
};

async function terminal(ws: Workspace, server: ModelServer) {
  const { command, rest } = commandFor(ws, ["--sandbox", "off"], { server });
  const program = startTerminal(command, { cwd: rest.cwd, env: rest.env });
  await program.waitFor(isReady);
  return program;
}

async function compiled(ws: Workspace): Promise<void> {
  while (compiledFiles(ws).sets.length === 0) await Bun.sleep(10);
}

test("a terminal program has its extensions compiled for the next start, and its end leaves no helper", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  install(ws, INSTALLED);
  {
    await using program = await terminal(ws, server);
    send(program, "/small");
    await program.waitFor("as it is one");
    await compiled(ws);
    expect(await leave(program)).toBe(0);
  }
  expect(leftovers(ws.marker)).toEqual([]);
  await using program = await terminal(ws, server);
  send(program, "/small");
  await program.waitFor("compiled one");
  expect(await leave(program)).toBe(0);
  expect(compiledFiles(ws).code).toHaveLength(2);
});

test("a terminal program that ends at once compiles nothing and leaves no helper", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  install(ws, INSTALLED);
  await using program = await terminal(ws, server);
  expect(await leave(program)).toBe(0);
  expect(leftovers(ws.marker)).toEqual([]);
  expect(compiledFiles(ws).sets).toEqual([]);
});

test("a server of sessions has the extensions of its conversations compiled, and its end leaves no helper", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  install(ws, INSTALLED);
  server.reply(say("done"));
  const socket = join(ws.temp, "s");
  await using running = startPi(ws, ["--mode", "rpc", "--socket", socket], { server });
  await running.waitForOutput(/"type":"ready"/);
  await using client = await connect({ socket });
  await (await client.prompt({ text: "go" })).ended;
  await compiled(ws);
  await client.call("shutdown");
  expect((await running.exited).code).toBe(0);
  expect(leftovers(ws.marker)).toEqual([]);
});

test("an editor's program has the extensions of its conversations compiled, and its end leaves no helper", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  install(ws, INSTALLED);
  {
    await using editor = await startEditor(ws, server);
    await editor.newSession(ws.path);
    await compiled(ws);
  }
  expect(leftovers(ws.marker)).toEqual([]);
});

test("/extensions reload takes changed files of a compiled package into use", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  install(ws, INSTALLED);
  await compile(ws, "small/index.ts");
  await using program = await terminal(ws, server);
  send(program, "/small");
  await program.waitFor("compiled one");
  ws.write(join(modulesFolder(ws), "small/value.ts"), "export const value = 'two';");
  send(program, "/extensions reload");
  await program.waitFor(/loaded in\s+small/);
  send(program, "/small");
  await program.waitFor("as it is two");
  expect(await leave(program)).toBe(0);
});

test("a one-shot uses what is compiled and compiles nothing", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  install(ws, INSTALLED);
  server.otherwise(() => [say("done")]);
  const go = () => pi(ws, ["-p", "go"], { server });
  expect(await go()).toMatchObject({ code: 0, stdout: "done\n", stderr: "" });
  expect(leftovers(ws.marker)).toEqual([]);
  expect(compiledFiles(ws)).toMatchObject({ sets: [], code: [] });
});
