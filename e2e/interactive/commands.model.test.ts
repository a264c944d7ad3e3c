/** Slash commands about the model and what it is asked with. */
import { expect, test } from "bun:test";
import { call, hold, modelServer, say, workspace } from "@pi-ts/testkit";
import { stateFolder } from "../support/state.ts";
import { draftIs, gate, idle, openPi, send, talk, userConfig } from "./support.ts";

test("/model offers roles and models, and the chosen one answers and is saved as roles.default [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/model");
  await program.waitFor(/Model ─[\s\S]*anthropic\/small-model/);
  program.type("small-model");
  await program.waitFor(/› anthropic\/small-model/);
  program.press("enter");
  await program.waitFor("The model is anthropic/small-model");
  await program.waitFor("Saved as roles.default in ~/.pi-go/config.json");
  server.reply(say("small reply"));
  await talk(program, "hello", "small reply");
  expect(server.request(1).model).toBe("small-model");
  expect(userConfig(ws)).toMatchObject({ roles: { default: expect.anything() } });
  expect(JSON.stringify(userConfig(ws))).toContain("anthropic/small-model");
});

test("/model NAME LEVEL takes both into use at once, and a second program begins with what was saved [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("a reply")]);
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "sk-ant-e2e-0123456789-abcdefghijkl" };
  await using first = await openPi(ws, undefined, { env, args: ["--model", "anthropic/test-model"] });
  send(first, "/model anthropic/claude-haiku-4-5 high");
  await first.waitFor(/The model is anthropic\/claude-haiku-4-5, thinking high/);
  await first.waitFor("Saved as roles.default and thinking in");
  await using second = await openPi(ws, undefined, { env });
  await talk(second, "hello", "a reply");
  expect(server.request(1).model).toBe("claude-haiku-4-5");
  expect(server.request(1).field("thinking", "type")).toBe("enabled");
});

test("/model ROLE plays that role in this session only [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const saved = JSON.stringify({ roles: { smol: { model: "anthropic/small-model" } } });
  ws.write(`${stateFolder(ws)}/config.json`, saved);
  await using program = await openPi(ws, server);
  send(program, "/model smol");
  await program.waitFor("The model is anthropic/small-model (the role smol)");
  await program.waitFor("A role is not saved as the default");
  server.reply(say("small reply"));
  await talk(program, "hello", "small reply");
  expect(server.request(1).model).toBe("small-model");
  expect(JSON.stringify(userConfig(ws))).toBe(saved);
});

test("/model ROLE of a role that is not set keeps the session's model, as the list says [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/model slow");
  await program.waitFor("The model is anthropic/claude-opus-5-5 (the role slow)");
  await program.waitFor("The role slow is not set");
});

test("/model … --session saves nothing [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/model anthropic/small-model --session");
  await program.waitFor("For this session only; nothing was saved.");
  expect(userConfig(ws)).toBeNull();
});

test("/model waits while an answer is in progress; Esc stops both and the line is a draft again [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const rest = gate();
  server.reply(say("The beginning"), hold(rest.passed), say(" and the end."));
  await using program = await openPi(ws, server);
  send(program, "tell me");
  await program.waitFor("The beginning");
  send(program, "/model anthropic/small-model");
  await program.waitFor("/model anthropic/small-model waits until the answer is over");
  program.press("escape");
  await idle(program);
  await draftIs(program, "/model anthropic/small-model");
  expect(userConfig(ws)).toBeNull();
  rest.open();
});

test("/model says what is wrong with a name that nobody has [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/model nowhere/nothing");
  await program.waitFor('unknown provider "nowhere"');
  send(program, "/session");
  await program.waitFor(/model +anthropic\/claude-opus-5-5/);
});

test("/ping asks the model outside of the conversation and shows no key [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("pong from afar"));
  server.reply(say("an answer"));
  await using program = await openPi(ws, server);
  send(program, "/ping are you there?");
  await program.waitFor("pong from afar");
  expect(server.request(1).userTexts.join("\n")).toContain("are you there?");
  expect(program.output).not.toContain("0123456789-abcdefghijkl");
  await talk(program, "hello", "an answer");
  expect(server.request(2).text).not.toContain("are you there?");
});

test("/ping tells a failure with what to do [A-TUI-02]", async () => {
  await using ws = await workspace();
  const env = {
    ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
    ANTHROPIC_API_KEY: "sk-ant-e2e-0123456789-abcdefghijkl",
  };
  await using program = await openPi(ws, undefined, {
    env,
    args: ["--model", "anthropic/claude-opus-5-5"],
  });
  send(program, "/ping");
  await program.waitFor(/127\.0\.0\.1:1[\s\S]*(?:refused|connect)/i);
});

test("/rtk switches the compactor, which the config file keeps [A-TUI-02][A-TUI-05]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/rtk off");
  await program.waitFor("Long tool output is given to the model as it is from now on.");
  expect(userConfig(ws)).toMatchObject({ compactor: { enabled: false } });
  send(program, "/rtk on");
  await program.waitFor("Long tool output is shortened from now on.");
  expect(userConfig(ws)).toMatchObject({ compactor: { enabled: true } });
  send(program, "/rtk");
  await program.waitFor(/Nothing has been shortened yet\./);
  send(program, "/rtk sideways");
  await program.waitFor('/rtk does not know "sideways".');
});

test("/rtk counts what was shortened, by tool and technique [A-TUI-05]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "many.txt": "the same line\n".repeat(3_000) });
  server.reply(call("bash", { command: "cat many.txt" }));
  server.reply(say("seen"));
  await using program = await openPi(ws, server);
  send(program, "/rtk on");
  await program.waitFor("is shortened from now on");
  await talk(program, "look", "seen");
  send(program, "/rtk");
  await program.waitFor(/bash +repeated-lines +1 +[\d,]+ +[\d,]+ +\d+ %/);
  expect(server.request(2).results.at(-1)!.text.length).toBeLessThan(20_000);
});
