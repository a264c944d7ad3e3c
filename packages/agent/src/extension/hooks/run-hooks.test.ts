/** Hooks around a whole run: prompt, compaction, end, start and end of a session. */
import { expect, test } from "bun:test";
import { bench as loopBench, of, tool, user } from "../../agent/test-support/bench.ts";
import { call } from "../../agent/test-support/fake-model.ts";
import { textOf } from "../../contract/messages.ts";
import type { HookSetting } from "./hook-entry.ts";
import { type HookBench, hookBench } from "./test-support/hook-bench.ts";

const saying = (answer: object) => `printf '%s' '${JSON.stringify(answer)}'`;

async function withLoop(settings: readonly HookSetting[], more: Parameters<typeof loopBench>[0] = {}) {
  const bench = await hookBench(settings);
  const loop = loopBench({ callbacks: bench.hooks.callbacks, ...more });
  loop.model.otherwise = [loop.model.end([{ type: "text", text: "done" }])];
  const said = () =>
    loop.conversation.list.map((message) =>
      message.role === "user" ? `${message.origin}: ${textOf(message.parts)}` : message.role,
    );
  return { bench, loop, said, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() };
}

const read = (bench: HookBench, file: string) => JSON.parse(bench.ws.read(file)) as Record<string, unknown>;

test("a prompt hook reads the prompt and puts a text before the model with it [A-EXT-01]", async () => {
  await using all = await withLoop([
    { event: "prompt", command: `cat > seen.json; ${saying({ add: "the branch is main" })}` },
  ]);
  await all.loop.run("mend it");
  expect(read(all.bench, "seen.json")).toMatchObject({
    event: "prompt",
    tool: null,
    input: null,
    data: { prompt: "mend it", images: 0, steering: false },
  });
  expect(all.said()).toEqual([
    "user: mend it",
    'reminder: <hook event="prompt">\nthe branch is main\n</hook>',
    "assistant",
  ]);
});

test("a prompt hook blocks a prompt: no request, nothing stored, and the person reads why", async () => {
  await using all = await withLoop([{ event: "prompt", command: "echo it holds a key >&2; exit 2" }]);
  const events = await all.loop.run("my key is …");
  expect(of(events, "error")).toMatchObject([
    { code: "prompt_blocked", message: "the prompt was not sent: it holds a key" },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "message_end", stop_reason: "error", turns: 0 });
  expect(all.loop.model.requests).toEqual([]);
  expect(all.said()).toEqual([]);
});

test("prompt hooks see follow-ups too; a blocked one is told and the run ends in order", async () => {
  const command = `grep -q secret && { echo not that >&2; exit 2; }; true`;
  await using all = await withLoop([{ event: "prompt", command }]);
  all.loop.runner.followUp("the secret one");
  all.loop.runner.followUp("a plain one");
  const events = await all.loop.run("first");
  expect(of(events, "notice").map(({ message }) => message)).toEqual(["A message was not sent: not that"]);
  expect(all.said()).toEqual(["user: first", "assistant", "user: a plain one", "assistant"]);
});

test("a stop hook lets the agent go on once, and no more [A-EXT-01]", async () => {
  await using all = await withLoop([
    { event: "stop", command: `cat >> seen.jsonl; ${saying({ continue: "run the tests" })}` },
  ]);
  const events = await all.loop.run("go");
  expect(all.said()).toEqual([
    "user: go",
    "assistant",
    'reminder: <hook event="stop">\nrun the tests\n</hook>',
    "assistant",
  ]);
  expect(of(events, "notice")[0]?.message).toContain("a second time");
  expect(events.at(-1)).toMatchObject({ stop_reason: "end", turns: 2 });
  const ends = all.bench.ws.read("seen.jsonl").trim().split("\n");
  expect(ends.map((line) => (JSON.parse(line) as { data: object }).data)).toEqual([
    { stop_reason: "end", text: "done", turns: 1, went_on: false },
    { stop_reason: "end", text: "done", turns: 2, went_on: true },
  ]);
});

test("a stop hook that exits with 2 lets the agent go on with stderr; one that fails does not", async () => {
  await using all = await withLoop([
    {
      event: "stop",
      command: "grep -q '\"went_on\":true' && exit 0; echo two tests fail >&2; exit 2",
    },
    { event: "stop", command: "exit 1", blocking: true },
  ]);
  await all.loop.run("go");
  expect(all.said()).toContain('reminder: <hook event="stop">\ntwo tests fail\n</hook>');
  expect(all.said().filter((line) => line === "assistant")).toHaveLength(2);
  expect(all.bench.notices).toHaveLength(2);
});

test("a run that ends by a limit is told to stop hooks and does not go on", async () => {
  await using all = await withLoop(
    [{ event: "stop", command: `cat > seen.json; ${saying({ continue: "more" })}` }],
    { maxTurns: 1, tools: [tool("look")] },
  );
  all.loop.model.otherwise = [all.loop.model.end([call("c1", "look")])];
  const events = await all.loop.run("go");
  expect(events.at(-1)).toMatchObject({ stop_reason: "max_turns", turns: 1 });
  expect(read(all.bench, "seen.json")).toMatchObject({ data: { stop_reason: "max_turns" } });
});

test("a hook before a compaction keeps the conversation as it is, with its reason", async () => {
  const history = [user("a long story"), user("b"), user("c")];
  await using all = await withLoop(
    [{ event: "before_compact", command: "cat > seen.json; echo keep it >&2; exit 2" }],
    { history },
  );
  const events = [];
  for await (const event of all.loop.runner.compact({ focus: "the plan", signal: all.loop.stop.signal }))
    events.push(event);
  expect(of(events, "compaction").at(-1)).toMatchObject({ phase: "failed", reason: "keep it" });
  expect(all.loop.model.requests).toEqual([]);
  expect(read(all.bench, "seen.json")).toMatchObject({
    event: "before_compact",
    data: { kind: "summary", focus: "the plan", tokens: expect.any(Number) },
  });
});

test("session_start runs once, its text goes with the first prompt only, and session_end runs once", async () => {
  await using all = await withLoop([
    { event: "session_start", command: `cat > seen.json; echo s >> log; ${saying({ add: "ticket 7" })}` },
    { event: "session_end", command: "echo e >> log" },
  ]);
  all.bench.hooks.begin({ resumed: false, mode: "print" });
  await all.loop.run("one");
  await all.loop.run("two");
  await all.bench.hooks.end();
  await all.bench.hooks.end();
  expect(all.said()).toEqual([
    "user: one",
    'reminder: <hook event="session_start">\nticket 7\n</hook>',
    "assistant",
    "user: two",
    "assistant",
  ]);
  expect(all.bench.ws.read("log")).toBe("s\ne\n");
  expect(read(all.bench, "seen.json")).toMatchObject({ data: { resumed: false, mode: "print" } });
});

test("a blocking session_start hook that fails keeps prompts from being sent", async () => {
  await using all = await withLoop([{ event: "session_start", command: "exit 1", blocking: true }]);
  all.bench.hooks.begin({ resumed: false, mode: "print" });
  const events = await all.loop.run("one");
  expect(of(events, "error")[0]?.message).toContain("ended with exit code 1");
  expect(all.loop.model.requests).toEqual([]);
});

test("the end of a session does not wait for a start that hangs", async () => {
  await using all = await withLoop([
    { event: "session_start", command: "sleep 600", timeout: 900 },
    { event: "session_end", command: "echo e >> log" },
  ]);
  all.bench.hooks.begin({ resumed: true, mode: "interactive" });
  await all.bench.hooks.end();
  expect(all.bench.ws.read("log")).toBe("e\n");
});

test("an interrupt while a prompt hook runs ends the run at once", async () => {
  await using all = await withLoop([{ event: "prompt", command: "sleep 600" }]);
  const running = all.loop.run("one");
  while (all.bench.processes.list().length === 0) await new Promise(setImmediate);
  all.loop.stop.abort();
  expect((await running).at(-1)).toMatchObject({ stop_reason: "aborted" });
  while (all.bench.processes.list().length > 0) await new Promise(setImmediate);
});

test("a changed input that does not fit the tool is refused with the hook's name", async () => {
  await using all = await withLoop(
    [{ event: "before_tool", command: saying({ input: { x: "no number" } }) }],
    { tools: [tool("look")] },
  );
  all.loop.model.calls(call("c1", "look", { x: 1 }));
  const events = await all.loop.run("go");
  expect(of(events, "tool_result")[0]).toMatchObject({ is_error: true });
  expect(of(events, "tool_result")[0]?.content).toMatch(/^the hook ".*" changed the input\./);
});
