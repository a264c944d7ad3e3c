/** Services that count nothing, or not all: the day's limit holds for them all the same. */
import { expect, test } from "bun:test";
import { bench } from "./test-support/bench.ts";
import { call, failure, text, usage } from "./test-support/fake-model.ts";

interface Used {
  input: number;
  output: number;
  requests: number;
}

function budget() {
  const used: Used[] = [];
  return { used, reserve: () => ({ settle: (what: Used) => void used.push(what) }) };
}

const LONG = "many words of an answer ".repeat(100);

test("an answer for which the service counted nothing is charged by its length [Q03][A-GUARD-02]", async () => {
  const day = budget();
  const b = bench({ budget: day });
  b.model.says(LONG, usage(0, 0));
  const events = await b.run();
  expect(day.used[0]!.input).toBeGreaterThan(0);
  expect(day.used[0]!.output).toBeGreaterThan(300);
  // What is told stays what the service said.
  expect(events.at(-1)).toMatchObject({ type: "message_end", usage: { input: 0, output: 0 } });
});

test("calls without a word and without a count are charged too [Q03]", async () => {
  const day = budget();
  const b = bench({ budget: day });
  b.model
    .script(b.model.end([call("a", "write", { content: LONG })], "tool", usage(0, 0)))
    .says("done", usage(10, 5));
  await b.run();
  expect(day.used[0]!.output).toBeGreaterThan(300);
  expect(day.used[1]).toEqual({ input: 10, output: 5, requests: 1 });
});

test("a stream that broke off after its first count is charged by what had come [Q03]", async () => {
  const day = budget();
  const b = bench({ budget: day });
  const broken = { ...failure({ code: "network" }), usage: usage(70, 1) };
  b.model.script(text(LONG), broken);
  await b.run();
  expect(day.used).toEqual([{ input: 70, output: expect.any(Number), requests: 1 }]);
  expect(day.used[0]!.output).toBeGreaterThan(300);
});

test("a request that failed without an answer costs no tokens [Q03]", async () => {
  const day = budget();
  const b = bench({ budget: day });
  b.model.script(failure({ code: "auth", retryable: false }));
  await b.run();
  expect(day.used).toEqual([{ input: 0, output: 0, requests: 1 }]);
});
