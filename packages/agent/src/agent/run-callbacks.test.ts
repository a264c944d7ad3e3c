import { expect, test } from "bun:test";
import { textOf } from "../contract/messages.ts";
import { bench, of, user } from "./test-support/bench.ts";

const answering = (more: Parameters<typeof bench>[0]) => {
  const b = bench(more);
  b.model.otherwise = [b.model.end([{ type: "text", text: "done" }])];
  return b;
};

test("what callbacks add to a prompt goes before the model with it, in their order", async () => {
  const b = answering({
    callbacks: [
      { beforePrompt: async () => ({ context: "one" }) },
      { beforePrompt: async () => undefined },
      { beforePrompt: async () => ({ context: "two" }) },
    ],
  });
  await b.run("go");
  expect(b.conversation.list.map((message) => message.role === "user" && message.origin)).toEqual([
    "user",
    "reminder",
    "reminder",
    false,
  ]);
  expect(b.model.requests[0]!.messages.flatMap(({ parts }) => textOf(parts))).toEqual(["go", "one", "two"]);
});

test("a prompt that a callback blocks is not stored, no later callback sees it, and the conversation goes on with the next", async () => {
  let seen = 0;
  let blocks = true;
  const b = answering({
    callbacks: [
      { beforePrompt: async () => (blocks ? { block: "" } : undefined) },
      {
        async beforePrompt() {
          seen++;
          return undefined;
        },
      },
    ],
  });
  const events = await b.run("go");
  expect(of(events, "error")).toMatchObject([
    { code: "prompt_blocked", message: "the prompt was not sent: blocked by callback 1" },
  ]);
  expect([seen, b.conversation.list.length]).toEqual([0, 0]);
  blocks = false;
  expect((await b.run("again")).at(-1)).toMatchObject({ stop_reason: "end", text: "done" });
});

test("callbacks see what a person says, steering too, and nothing that the program puts in", async () => {
  const seen: string[] = [];
  const b = answering({
    callbacks: [
      {
        async beforePrompt(message) {
          seen.push(`${message.origin}: ${textOf(message.parts)}`);
          return undefined;
        },
      },
    ],
  });
  b.runner.steer("and this");
  await b.run("go");
  const reminder = { ...user("by the program"), origin: "reminder" as const };
  for await (const _ of b.runner.run(reminder, b.stop.signal));
  expect(seen).toEqual(["user: go", "steering: and this"]);
});

test("a callback that throws is told of and passed over", async () => {
  const fails = () => Promise.reject(new Error("broken"));
  const b = answering({
    history: [user("a"), user("b"), user("c")],
    callbacks: [{ beforePrompt: fails, beforeStop: fails, beforeCompact: fails }],
  });
  const events = await b.run("go");
  expect(of(events, "notice").map(({ message }) => message)).toEqual([
    "callback 1 failed before a prompt: broken",
    "callback 1 failed before the end: broken",
  ]);
  expect(events.at(-1)).toMatchObject({ stop_reason: "end" });
  const compaction = [];
  for await (const event of b.runner.compact({ signal: b.stop.signal })) compaction.push(event);
  expect(of(compaction, "notice")[0]?.message).toBe("callback 1 failed before a compaction: broken");
});

test("all callbacks hear of the end, and the run goes on once with what they want", async () => {
  const ends: boolean[] = [];
  const wishing = (goOn: string) => ({
    async beforeStop({ wentOn }: { wentOn: boolean }) {
      ends.push(wentOn);
      return { goOn };
    },
  });
  const b = answering({ callbacks: [wishing("lint"), wishing("test")] });
  const events = await b.run("go");
  expect(ends).toEqual([false, false, true, true]);
  expect(textOf(b.conversation.list[2]!.parts as { type: string; text?: string }[])).toBe("lint\n\ntest");
  expect(events.at(-1)).toMatchObject({ stop_reason: "end", turns: 2 });
});

test("a run that was interrupted asks nobody whether it may end", async () => {
  let asked = 0;
  const b = answering({
    callbacks: [
      {
        async beforeStop() {
          asked++;
          return { goOn: "more" };
        },
      },
    ],
  });
  b.model.script(() => b.stop.abort());
  expect((await b.run("go")).at(-1)).toMatchObject({ stop_reason: "aborted" });
  expect(asked).toBe(0);
});
