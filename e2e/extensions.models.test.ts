/** Models of services that extensions bring, named on the command line, in the settings and by a session that goes on. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { call, leftovers, modelServer, say, workspace } from "@pi-ts/testkit";
import { connect } from "../packages/agent/src/client/index.ts";
import { bringKnownProtocol, bringOwnCode } from "./support/brought-service.ts";
import { pi, startPi } from "./support/pi.ts";
import { stateFolder } from "./support/state.ts";
import { first, given, plays, told, userConfig } from "./support/subagents.ts";

test("--model names a model of an extension's service, which is loaded once, and a session goes on with it", async () => {
  await using ws = await workspace();
  bringOwnCode(ws);
  const first = await pi(ws, ["--model", "corp/m", "-p", "hi"]);
  expect(first).toMatchObject({ stdout: "1 asked, loaded 1\n", code: 0 });
  const next = await pi(ws, ["-c", "-p", "more"]);
  expect(next).toMatchObject({ stdout: "2 asked, loaded 1\n", code: 0 });
});

test("the default model of the settings may be one of an extension's service", async () => {
  await using ws = await workspace();
  bringOwnCode(ws);
  ws.write(
    join(stateFolder(ws), "config.json"),
    JSON.stringify({ roles: { default: { provider: "corp", model: "m" } } }),
  );
  expect(await pi(ws, ["-p", "hi"])).toMatchObject({ stdout: "1 asked, loaded 1\n", code: 0 });
});

test("a provider that nobody brings is told of as ever, and extensions that are switched off bring none", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  bringOwnCode(ws);
  const unknown = await pi(ws, ["--model", "crop/m", "-p", "hi"], { server });
  expect(unknown.code).toBe(4);
  expect(unknown.stderr).toContain("crop");
  const off = await pi(ws, ["--no-extensions", "--model", "corp/m", "-p", "hi"], { server });
  expect(off.code).toBe(4);
  server.reply(say("fine"));
  expect((await pi(ws, ["-p", "hi"], { server })).stdout).toBe("fine\n");
});

test("a subagent works with the model of an extension's service that speaks a protocol of pi's", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  bringKnownProtocol(ws, server);
  plays(server, "FIND", [], "found by corp");
  server.when(first).reply(call("agent", { type: "explore", prompt: "FIND it" }));
  server.when(told("go!")).reply(say("done"));
  const result = await pi(ws, ["--model", "corp/m", "-p", "go!"]);
  expect(result).toMatchObject({ code: 0, stdout: "done\n" });
  expect(given(server)).toContain("found by corp");
  expect(server.requests.filter(told("FIND")).map(({ model }) => model)).toEqual(["m"]);
  expect(leftovers(ws.marker)).toEqual([]);
});

test("a role may name the model of an extension's service for the subagents that play it", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  bringKnownProtocol(ws, server);
  userConfig(ws, { roles: { smol: { provider: "corp", model: "m" } } });
  ws.write(
    join(stateFolder(ws), "agents/finder.md"),
    "---\nname: finder\ndescription: finds\nrole: smol\n---\nFind.\n",
  );
  plays(server, "FIND", [], "found by corp");
  server.when(first).reply(call("agent", { type: "finder", prompt: "FIND it" }));
  server.when(told("go!")).reply(say("done"));
  const result = await pi(ws, ["-p", "go!"], { server });
  expect(result).toMatchObject({ code: 0, stdout: "done\n" });
  expect(server.requests.filter(told("FIND")).map(({ model }) => model)).toEqual(["m"]);
});

test("where only the extension's own code speaks to a service, a subagent that should use it is told so", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  bringOwnCode(ws);
  ws.write(
    join(stateFolder(ws), "agents/finder.md"),
    "---\nname: finder\ndescription: finds\nmodel: corp/m\n---\nFind.\n",
  );
  server.when(first).reply(call("agent", { type: "finder", prompt: "FIND it" }));
  server.when(told("go!")).reply(say("done"));
  expect((await pi(ws, ["-p", "go!"], { server })).stdout).toBe("done\n");
  expect(given(server)).toContain("An extension speaks to corp with code of its own");
});

test.if(process.platform !== "win32")(
  "the models of an extension's service are listed over RPC once a session of the folder has it",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    bringKnownProtocol(ws, server);
    const socket = join(ws.temp, "s");
    await using running = startPi(ws, ["--mode", "rpc", "--socket", socket], { server });
    await running.waitForOutput(/"type":"ready"/);
    await using client = await connect({ socket });
    await client.call("session.create", { model: "corp/m" });
    const { models } = await client.call("model.list", {});
    expect(models.map(({ provider, id }) => `${provider}/${id}`)).toContain("corp/m");
  },
);
