/** How the program begins: what is there at once, what waits, and what it begins with. */
import { expect, test } from "bun:test";
import { modelServer, say, startTerminal, workspace } from "@pi-ts/testkit";
import { anyPi, commandFor, pi } from "../support/pi.ts";
import { onlySession, sessionsOf } from "../support/state.ts";
import { draftIs, idle, isReady, leave, openPi, send, talk } from "./support.ts";

test("without words a terminal gets the interactive mode, with every part told as it gets ready [A-INIT-01][A-INIT-02][A-OUT-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "" }, { git: true });
  const { command, rest } = commandFor(ws, ["--sandbox", "off"], { entrance: anyPi(), server });
  const frames: string[] = [];
  await using program = startTerminal(command, { cwd: rest.cwd, env: rest.env });
  await program.waitFor((shown) => {
    frames.push(shown.screen().join("\n"));
    return isReady(shown);
  });
  const first = frames.find((frame) => frame.trim() !== "") ?? "";
  expect(first).toContain("pi 0.");
  expect(first).toMatch(/settings[\s\S]*session[\s\S]*model[\s\S]*tools/);
  expect(program.screen().at(-1)).toContain("(main)");
});

test("what is typed before the program is ready is kept, and what is sent is sent when it is [A-INIT-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("the early bird"));
  await using program = await openPi(ws, server, { until: "frame" });
  send(program, "as early as can be");
  program.type("and a draft");
  await program.waitFor("the early bird");
  await draftIs(program, "and a draft");
  expect(server.request(1).userTexts.at(-1)).toContain("as early as can be");
});

test("a slash command that is sent before the program is ready runs when it is [A-INIT-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server, { until: "frame" });
  send(program, "/session");
  await program.waitFor(/project +\/.*\n/);
});

test("a !command that is sent before the program is ready runs when it is [A-INIT-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server, { until: "frame" });
  send(program, "!echo soon$((1 + 1))");
  await program.waitFor("soon2");
});

test("a prompt on the command line is sent", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("hello yourself"));
  await using program = await openPi(ws, server, { args: ["hello there"], until: "frame" });
  await program.waitFor("hello yourself");
  expect(program.screen().join("\n")).toContain("> hello there");
});

test("--continue shows the last conversation and goes on with it [A-SESS-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(({ userTexts }) => [say(`reply to ${userTexts.at(-1)}`)]);
  await pi(ws, ["-p", "the first words"], { entrance: anyPi(), server });
  await using program = await openPi(ws, server, { args: ["--continue"] });
  await program.waitFor(/> the first words[\s\S]*reply to the first words/);
  await talk(program, "more words", "reply to more words");
  expect(server.request(2).userTexts.join("\n")).toContain("the first words");
  await leave(program);
  onlySession(ws);
});

test("--continue passes over a program that was opened and left again without a word [A-SESS-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("words to find again"));
  await pi(ws, ["-p", "speak"], { entrance: anyPi(), server });
  await using silent = await openPi(ws, server);
  await leave(silent);
  await using program = await openPi(ws, server, { args: ["--continue"] });
  await program.waitFor("words to find again");
});

test("--session opens the named conversation, and an unknown one ends with exit code 2 and what there is [A-SESS-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(({ userTexts }) => [say(`reply to ${userTexts.at(-1)}`)]);
  await pi(ws, ["-p", "number one"], { entrance: anyPi(), server });
  await pi(ws, ["-p", "number two"], { entrance: anyPi(), server });
  const [one] = sessionsOf(ws);
  await using program = await openPi(ws, server, { args: ["--session", one!.id] });
  await program.waitFor("reply to number one");
  expect(program.screen().join("\n")).not.toContain("number two");
  await leave(program);
  await using lost = await openPi(ws, server, { args: ["--session", "zzzzzzzz"], until: "frame" });
  expect((await lost.exited).code).toBe(2);
  expect(lost.screen().join("\n")).toContain('there is no session "zzzzzzzz"');
  expect(lost.unrestored()).toEqual({});
});

test("a session that another program has open is refused in words", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("a reply")]);
  await using first = await openPi(ws, server);
  await talk(first, "hello", "a reply");
  const { id } = onlySession(ws);
  await using second = await openPi(ws, server, { args: ["--session", id], until: "frame" });
  expect((await second.exited).code).toBe(1);
  expect(second.screen().join(" ")).toMatch(new RegExp(`session ${id} is in use`));
  await idle(first);
});

test("without any key the program says what to do, keeps the prompt, and goes on with a model that is chosen", async () => {
  await using ws = await workspace();
  await using program = await openPi(ws, undefined, { until: "frame" });
  await program.waitFor(/set a key and start pi again, or choose a model with[\s\S]*\/model/);
  send(program, "is anybody there?");
  await draftIs(program, "is anybody there?");
  program.press("ctrl+c");
  send(program, "/help model");
  await program.waitFor("choose from a list");
  expect(await leave(program)).toBe(0);
});

test("without any key the prompt of the command line is kept as a draft", async () => {
  await using ws = await workspace();
  await using program = await openPi(ws, undefined, { until: "frame", args: ["precious words"] });
  await program.waitFor("set a key and start pi again");
  await draftIs(program, "precious words");
});

test("without any key a !command is not run: it comes back as a draft, with what to do", async () => {
  await using ws = await workspace();
  await using program = await openPi(ws, undefined, { until: "frame" });
  await program.waitFor("set a key and start pi again");
  send(program, "!touch ran");
  await draftIs(program, "!touch ran");
  expect(ws.exists("ran")).toBe(false);
});

test("without any key /model takes a local model into use, and the conversation begins", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("hello from the shelf"));
  const env = { OLLAMA_HOST: server.baseUrl("ollama") };
  await using program = await openPi(ws, undefined, {
    env,
    until: "frame",
    args: ["--model", "anthropic/claude-opus-5-5"],
  });
  await program.waitFor("set a key and start pi again");
  send(program, "/model ollama/test-model");
  await program.waitFor("The model is ollama/test-model");
  await talk(program, "hello", "hello from the shelf");
  expect(server.request(1).wire).toBe("ollama");
});

test("a config file that cannot be read is named, and the program works with the built-in settings", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(`${ws.home}/.pi-go/config.json`, "{ not json");
  server.reply(say("nevertheless"));
  await using program = await openPi(ws, server);
  await program.waitFor(/config\.json is not used/);
  await talk(program, "hello", "nevertheless");
});
