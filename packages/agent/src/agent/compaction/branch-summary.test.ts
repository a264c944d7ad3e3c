import { expect, test } from "bun:test";
import type { AgentEvent } from "../../contract/events.ts";
import { type Message, textOf } from "../../contract/messages.ts";
import { bench, of, tool, user } from "../test-support/bench.ts";
import { failure, testModel } from "../test-support/fake-model.ts";
import { calling, resulting, saying, steps } from "../test-support/long-history.ts";
import type { BranchSummary } from "./branch-summary.ts";

const LEFT: Message[] = [user("try the cache"), ...steps(3, 50), saying("the cache is slower")];

function world(more: Parameters<typeof bench>[0] = {}) {
  const b = bench({ history: [user("here"), saying("and now")], ...more });
  const before = JSON.stringify(b.conversation.list);
  const leave = async (messages: readonly Message[] = LEFT, focus?: string) => {
    const told: BranchSummary[] = [];
    const events: AgentEvent[] = [];
    const left = { branch: "idea", messages, ...(focus === undefined ? {} : { focus }) };
    for await (const event of b.runner.summariseBranch(left, b.stop.signal, (end) => told.push(end))) {
      events.push(event);
      if (event.type === "retry")
        void b.clock.sleeping(event.delay_ms).then(() => b.clock.advance(event.delay_ms));
    }
    expect(JSON.stringify(b.conversation.list)).toBe(before);
    return { told: told[0], events };
  };
  return { ...b, b, leave };
}

const words = (summary: BranchSummary | undefined): string =>
  summary?.state === "done" ? textOf(summary.message.parts) : "";

test("a summary of what is left is a message that says whose notes it holds and what they are not; nothing else changes [A-SESS-02]", async () => {
  const { leave, model } = world();
  model.says("## Found out\nthe cache is slower");
  const { told } = await leave();
  expect(told).toMatchObject({ state: "done", message: { role: "user", origin: "branch_summary" } });
  expect(words(told)).toStartWith(
    '[The user came here from another way of this conversation (branch "idea")',
  );
  expect(words(told)).toContain("the cache is slower");
});

test("the model that writes it gets what was said there as data, no tools, and what the person wants kept [A-SESS-02]", async () => {
  const { leave, model } = world();
  model.says("notes");
  await leave(LEFT, "the numbers");
  const [request] = model.requests;
  expect(request).toMatchObject({ tools: [], thinking: "off" });
  const asked = JSON.stringify(request!.messages);
  expect(asked).toContain("try the cache");
  expect(asked).toContain("keep above all what concerns: the numbers");
  expect(asked).not.toContain("and now");
});

test("the request fits a small window however much is left, and long notes are cut [A-SESS-02]", async () => {
  const { leave, model, runner } = world({ model: { ...testModel, contextWindow: 8_000, maxOutput: 1_000 } });
  model.says("word ".repeat(20_000));
  const { told } = await leave([user("begin"), ...steps(400, 800), saying("the very end")]);
  const asked = JSON.stringify(model.requests[0]!.messages);
  expect(asked.length / 4).toBeLessThan(8_000);
  expect(asked).toContain("the very end");
  expect(words(told).length).toBeLessThan(8_000);
  expect(words(told)).toContain("characters left out");
  expect(runner.contextTokens()).toBeLessThan(8_000);
});

test("files that were read or changed there are listed by the program, whatever the notes say [A-SESS-02]", async () => {
  const { leave, model } = world({ tools: [tool("read"), tool("edit", { kind: "edit" })] });
  model.says("nothing of files");
  const left = [
    user("mend it"),
    calling("a", "read", { file_path: "seen.ts" }),
    resulting("a", "read", "x"),
    calling("b", "edit", { file_path: "mended.ts" }),
    resulting("b", "edit", "ok"),
  ];
  expect(words((await leave(left)).told)).toMatch(/Changed:\n- "mended\.ts"\nRead only:\n- "seen\.ts"/);
});

test.each<[string, (world_: ReturnType<typeof world>) => void, string]>([
  ["an empty one", ({ model }) => model.says("  "), "the model gave an empty summary"],
  [
    "one that was cut",
    ({ model }) => void model.script(model.end([{ type: "text", text: "half" }], "length")),
    "cut at the output limit",
  ],
  [
    "a refusal of the service",
    ({ model }) => void model.script(failure({ code: "auth", message: "no such key", retryable: false })),
    "no such key",
  ],
])("%s is a failure with its reason [A-SESS-02]", async (_, prepare, reason) => {
  const it = world();
  prepare(it);
  const { told } = await it.leave();
  expect(told).toEqual({ state: "failed", reason: expect.stringContaining(reason) });
});

test("stopping it in the middle is told as that, and the request is aborted [A-SESS-02]", async () => {
  const it = world();
  it.model.script(() => it.b.stop.abort(), it.model.end([{ type: "text", text: "too late" }]));
  const { told } = await it.leave();
  expect(told).toEqual({ state: "stopped" });
  expect(it.model.signals[0]!.aborted).toBe(true);
});

test("a service that fails for a moment is asked again, and the person sees that", async () => {
  const it = world();
  it.model.script(failure({ code: "overloaded" })).says("second time");
  const { events, told } = await it.leave();
  expect(of(events, "retry")).toHaveLength(1);
  expect(words(told)).toContain("second time");
});

test("where nothing was said nobody is asked", async () => {
  const { leave, model } = world();
  expect((await leave([])).told).toEqual({ state: "failed", reason: "nothing was said there" });
  expect(model.requests).toHaveLength(0);
});

test("no run goes on beside it", async () => {
  const { runner, stop, model } = world();
  model.says("notes");
  const events = runner.summariseBranch({ branch: "idea", messages: LEFT }, stop.signal, () => undefined);
  const iterator = events[Symbol.asyncIterator]();
  const first = iterator.next();
  const beside = async () => {
    for await (const _ of runner.run(user("now"), stop.signal)) break;
  };
  await expect(beside()).rejects.toMatchObject({ code: "busy" });
  await first;
});

test("a later compaction carries the notes and their files over, as it does earlier summaries [C06]", async () => {
  const it = world();
  it.model.says("KEPT-NOTES");
  const { told } = await it.leave();
  if (told?.state !== "done") throw new Error("no summary");
  it.conversation.list.push(told.message, user("go on"), ...steps(60, 800), saying("done"));
  it.model.says("THE NOTES");
  for await (const _ of it.runner.compact({ signal: it.stop.signal }));
  const asked = JSON.stringify(it.model.requests.at(-1)!.messages);
  expect(asked).toContain("[summary of another branch]");
  expect(asked).toContain("KEPT-NOTES");
});
