import { expect, test } from "bun:test";
import type { Message, ToolCallPart } from "../../contract/messages.ts";
import { user } from "../test-support/bench.ts";
import { calling, resulting, saying, steps } from "../test-support/long-history.ts";
import { tailStart } from "./tail.ts";

const one = () => 1;

test("as much of the end is kept as the budget allows, from the beginning of a step on", () => {
  const messages = [user("go"), ...steps(5)];
  expect(tailStart(messages, 4, one)).toBe(7);
  expect(tailStart(messages, 5, one)).toBe(7);
  expect(tailStart(messages, 100, one)).toBe(0);
});

test("what the model has not seen is kept whatever the budget", () => {
  expect(tailStart([user("go"), ...steps(3)], 0, one)).toBe(5);
  expect(tailStart([user("go"), ...steps(3), saying("done"), user("next")], 0, one)).toBe(8);
  expect(tailStart([user("go"), ...steps(3), user("stop, do that")], 0, one)).toBe(5);
  expect(tailStart([user("go"), saying("done")], 0, one)).toBe(2);
});

test("a result that came late, after other messages, keeps its call [C06]", () => {
  const messages = [
    user("go"),
    calling("late", "bash"),
    user("meanwhile"),
    resulting("late", "bash", "ok"),
    ...steps(3),
  ];
  for (let budget = 0; budget <= messages.length; budget++)
    expect([0, 1, 4, 6, 8]).toContain(tailStart(messages, budget, one));
});

test("whatever the history and the budget, no call is kept apart from its result [C06]", () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let round = 0; round < 300; round++) {
    const messages: Message[] = [];
    const open: string[] = [];
    for (let n = 0; n < 30; n++) {
      const kind = random(4);
      if (kind === 0) messages.push(user(`u${n}`));
      else if (kind === 1) messages.push(saying(`s${n}`));
      else if (kind === 2) {
        messages.push(calling(`c${n}`, "look"));
        open.push(`c${n}`);
      } else if (open.length > 0)
        messages.push(resulting(open.splice(random(open.length), 1)[0]!, "look", "ok"));
    }
    const start = tailStart(messages, random(25), one);
    const asked = new Set(
      messages
        .slice(start)
        .flatMap((message) => (message.role === "assistant" ? message.parts : []))
        .filter((part): part is ToolCallPart => part.type === "tool_call")
        .map(({ id }) => id),
    );
    for (const message of messages.slice(start))
      if (message.role === "tool") for (const { id } of message.parts) expect(asked.has(id)).toBe(true);
  }
});
