/** A model of a service that an extension brings, in the terminal. */
import { expect, test } from "bun:test";
import { modelServer, say, workspace } from "@pi-ts/testkit";
import { bringKnownProtocol, bringOwnCode } from "../support/brought-service.ts";
import { userConfig } from "../support/subagents.ts";
import { isReady, leave, openPi, send, talk } from "./support.ts";

test("the terminal program starts with a model of an extension's service and talks to it", async () => {
  await using ws = await workspace();
  bringOwnCode(ws);
  await using program = await openPi(ws, undefined, { args: ["--model", "corp/m"] });
  expect(program.screen().at(-1)).toContain("m");
  await talk(program, "hi", "1 asked");
  expect(await leave(program)).toBe(0);
});

test("/model changes to a model of an extension's service", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  bringOwnCode(ws);
  await using program = await openPi(ws, server);
  send(program, "/model corp/m");
  await program.waitFor((shown) => / M /.test(shown.screen().at(-1) ?? "") && isReady(shown));
  await talk(program, "hi", "1 asked");
});

test("the models of an extension's service stand among those to choose from, and nobody asks it for more", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  bringOwnCode(ws);
  await using program = await openPi(ws, server);
  send(program, "/model");
  await program.waitFor("Claude");
  program.type("corp");
  await program.waitFor(/corp\/m|corp +M|M +corp/);
  expect(program.screen().join("\n")).not.toContain("could not be asked");
});

test("/commit asks the model of an extension's service when role commit names it", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  bringKnownProtocol(ws, server);
  userConfig(ws, { roles: { commit: { provider: "corp", model: "m" } } });
  ws.write("a.txt", "two\n");
  ws.git("add", "a.txt");
  server.reply(say("feat: count to two"));
  await using program = await openPi(ws, server);
  send(program, "/commit");
  await program.waitFor(/Commit 1 file\?[\s\S]*feat: count to two/);
  expect(server.request(1).model).toBe("m");
});

test("/ping reaches the model of an extension's service", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  bringKnownProtocol(ws, server);
  server.reply(say("pong"));
  await using program = await openPi(ws, undefined, { args: ["--model", "corp/m"] });
  send(program, "/ping");
  await program.waitFor(/corp\/m[\s\S]*ms|ms[\s\S]*corp\/m/);
  expect(server.request(1).model).toBe("m");
});
