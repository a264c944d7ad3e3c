/** What stands on stdout and stderr, and what happens when a reader is odd, slow, or gone. */
import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import {
  call,
  fail,
  leftovers,
  modelServer,
  say,
  splitBytes,
  stdoutClosedEarly,
  workspace,
} from "@pi-ts/testkit";
import { endOf, eventsOf, ofType } from "./support/events.ts";
import { commandFor, pi } from "./support/pi.ts";
import { messagesOf, onlySession, stateFolder } from "./support/state.ts";

/** Text that breaks framing and terminals: separators, a lone CR, NUL, escapes, a bell, wide and combined characters. */
const ODD = "a\u2028b\u2029c\u0085d\re\0f\u001b[31mg\u0007h 日本語 👨‍👩‍👧 e\u0301\r\nend";

test("print mode: stdout is the answer and nothing else, whatever goes wrong on the way [H03][A-OUT-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "AGENTS.md": "x".repeat(200_000) });
  ws.write(`${stateFolder(ws)}/config.json`, '{ "themme": "dark", broken');
  server.reply(fail(529), say("never seen"));
  server.reply(say("Let me look. "), call("read", { file_path: "missing.txt" }), call("no-such-tool", {}));
  server.reply(say(["It is ", "not there."]));
  const result = await pi(ws, ["--model", "anthropic/claude-no-such-model", "-p", "go"], { server });
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: "It is not there.\n" });
  for (const told of [/config\.json.*line 1/, /AGENTS\.md/, /claude-no-such-model/, /retry 1/, /! read: /])
    expect(result.stderr).toMatch(told);
});

test("JSON mode: every line is an event, notices and retries among them, and stderr is empty [H03][A-OUT-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "AGENTS.md": "x".repeat(200_000) });
  ws.write(`${stateFolder(ws)}/config.json`, '{ "themme": "dark", broken');
  server.reply(fail(529));
  server.reply(call("read", { file_path: "missing.txt" }));
  server.reply(say("done"));
  const argv = ["--mode", "json", "--model", "anthropic/claude-no-such-model", "-p", "go"];
  const result = await pi(ws, argv, { server });
  expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
  const events = eventsOf(result);
  const notices = ofType(events, "notice").map((event) => event["message"]);
  expect(notices.join("\n")).toMatch(/config\.json.*line 1[\s\S]*claude-no-such-model[\s\S]*AGENTS\.md/);
  expect(ofType(events, "retry")).toMatchObject([{ attempt: 1, reason: expect.stringContaining("529") }]);
  expect(ofType(events, "tool_result")).toMatchObject([{ is_error: true, details: { outcome: "failed" } }]);
  expect(endOf(events)["text"]).toBe("done");
});

test("odd characters in prompt, answer, arguments and results come through JSON mode, session and requests as they are [H01]", async () => {
  await using server = await modelServer();
  const name = "odd\u2028name \u0085.txt";
  await using ws = await workspace({ [name]: "one\u2028two\rthree\u0085four\nfive\n" });
  server.reply(say(["a\u2028", ODD]), call("read", { file_path: name }));
  server.reply(say(ODD));
  const prompt = ODD.replaceAll("\0", "");
  const result = await pi(ws, ["--mode", "json", "-p", prompt], { server });
  expect(result.code).toBe(0);
  expect(result.stdout).not.toMatch(/[\u2028\u2029\u0085\r]/);
  const events = eventsOf(result);
  expect(endOf(events)["text"]).toBe(ODD);
  expect(ofType(events, "tool_call")[0]).toMatchObject({ tool_input: { file_path: name } });
  expect(ofType(events, "tool_result")[0]).toMatchObject({
    is_error: false,
    content: expect.stringContaining("one\u2028two\rthree\u0085four"),
  });
  expect(server.request(1).userTexts).toContain(prompt);
  expect(server.request(2).assistantTexts).toEqual([`a\u2028${ODD}`]);
  expect(messagesOf(onlySession(ws)).at(-1)?.parts).toMatchObject([{ text: ODD }]);
});

test("odd characters in an answer reach a pipe as they are: a program reads it [H01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say(ODD));
  const result = await pi(ws, ["-p", "go"], { server });
  expect(result.stdout).toBe(`${ODD}\n`);
});

test("an answer cut in the middle of a character by the service's chunks arrives whole [P13]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(splitBytes(1), say("日本語 🎉 é"));
  expect((await pi(ws, ["-p", "go"], { server })).stdout).toBe("日本語 🎉 é\n");
});

test.if(process.platform !== "win32").each(["print", "json"])(
  "a reader that goes away stops a run in %s mode: no trace, no more requests, no process left [H03]",
  async (mode) => {
    await using server = await modelServer();
    await using ws = await workspace();
    const long = say(Array.from({ length: 400 }, () => "y".repeat(4_000)));
    // Print mode writes once, at the end; JSON mode at each piece, and may be told before it asks again.
    server.otherwise(({ results }) =>
      results.length > 0 ? [long] : [say("x"), call("bash", { command: "sleep 600 & echo started" })],
    );
    const { command, rest } = commandFor(ws, ["--mode", mode, "-p", "go"], { server });
    const result = await stdoutClosedEarly(command, rest);
    expect(result.code).not.toBe(0);
    expect(result.stderr).not.toMatch(/EPIPE|\bat .*:\d+:\d+|this is a bug/);
    expect(server.requests.length).toBeLessThanOrEqual(2);
    expect(leftovers(ws.marker)).toEqual([]);
  },
);

test.if(process.platform !== "win32")(
  "a reader that is slow gets every event whole and in order [H03]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    const piece = "0123456789abcdef".repeat(256);
    server.reply(say(Array.from({ length: 1_500 }, (_, index) => `${index} ${piece}\n`)));
    const { command, rest } = commandFor(ws, ["--mode", "json", "-p", "go"], { server });
    const child = spawn(command[0]!, command.slice(1), { ...rest, stdio: ["ignore", "pipe", "inherit"] });
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
    let stdout = "";
    let pieces = 0;
    const decoder = new TextDecoder();
    for await (const data of child.stdout) {
      stdout += decoder.decode(data as Uint8Array, { stream: true });
      // A pause now and then, so that the pipe is full most of the time.
      if (++pieces % 16 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await exited).toBe(0);
    const events = eventsOf({ stdout, stderr: "" });
    const joined = ofType(events, "text_delta").map((event) => event["delta"]);
    expect(joined).toHaveLength(1_500);
    expect(joined.join("")).toBe(endOf(events)["text"] as string);
  },
);

test("stderr shows control characters of tools and services instead of obeying them [X09]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(
    call("bash", { command: "printf '\\033]0;owned\\007'" }),
    call("read", { file_path: "\u001b[2Jx" }),
  );
  server.reply(fail(400, { body: "\u001b[31mred\u0007" }));
  const result = await pi(ws, ["-p", "go"], { server });
  expect(result.code).toBe(1);
  expect(result.stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  expect(result.stderr).toContain("red");
});
