import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import type { ModelClient, ModelError, ModelEvent, ModelRequest } from "../contract/model.ts";
import type { Clock } from "../contract/services.ts";
import { SharedPause } from "./shared-pause.ts";

const signal = new AbortController().signal;

/** A clock that tells how long was slept, and goes on by it. */
function sleeper(): Clock & { slept: number[] } {
  let now = 1_000_000;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    async sleep(ms) {
      slept.push(ms);
      now += ms;
    },
  };
}

function client(...answers: (ModelError | "answered" | null)[]): ModelClient {
  return {
    rules: {} as ModelClient["rules"],
    source: () => ({}) as never,
    async *stream() {
      const error = answers.shift();
      if (error === "answered") yield { type: "end" } as ModelEvent;
      else if (error) yield { type: "error", error, partial: [] } satisfies ModelEvent;
    },
  };
}

const busy = (more: Partial<ModelError> = {}): ModelError => ({
  code: "overloaded",
  message: "529",
  retryable: true,
  ...more,
});

async function ask(made: ModelClient): Promise<void> {
  for await (const _ of made.stream({} as ModelRequest, signal));
}

test("what one subagent is told to wait another one waits too, spread, and twice as long the next time [P04]", async () => {
  await using ws = await workspace();
  const clock = sleeper();
  const one = new SharedPause(ws.path, clock, () => 0).around(client(busy(), busy()), "anthropic");
  const other = new SharedPause(ws.path, clock, () => 1).around(client(), "anthropic");
  await ask(one);
  await ask(other);
  expect(clock.slept).toEqual([1_500]);
  await ask(one);
  await ask(other);
  expect(clock.slept).toEqual([1_500, 3_000]);
});

test("after an answer the next pause is a first one again [P04]", async () => {
  await using ws = await workspace();
  const clock = sleeper();
  const one = new SharedPause(ws.path, clock, () => 0).around(
    client(busy(), "answered", busy(), null),
    "anthropic",
  );
  for (let request = 0; request < 4; request++) await ask(one);
  expect(clock.slept).toEqual([1_000, 1_000]);
});

test("a longer wait that the service asks for holds, at most 30 s, and other providers go on [P04]", async () => {
  await using ws = await workspace();
  const clock = sleeper();
  const pause = new SharedPause(ws.path, clock, () => 0);
  await ask(pause.around(client(busy({ code: "rate", retryAfterMs: 7_000 })), "openai"));
  await ask(pause.around(client(), "anthropic"));
  expect(clock.slept).toEqual([]);
  await ask(pause.around(client(), "openai"));
  expect(clock.slept).toEqual([7_000]);
});

test("several that are told at once begin one pause; other failures begin none [P04]", async () => {
  await using ws = await workspace();
  const clock = sleeper();
  const pause = new SharedPause(ws.path, clock, () => 0);
  await ask(pause.around(client(busy({ code: "auth" })), "x"));
  // Begun before any of them was told.
  const streams = [1, 2, 3].map(() =>
    pause
      .around(client(busy()), "x")
      .stream({} as ModelRequest, signal)
      [Symbol.asyncIterator](),
  );
  await Promise.all(streams.map((stream) => stream.next()));
  await Promise.all(streams.map((stream) => stream.next()));
  expect(clock.slept).toEqual([]);
  await ask(pause.around(client(), "x"));
  expect(clock.slept).toEqual([1_000]);
});
