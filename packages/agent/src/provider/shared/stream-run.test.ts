import { expect, test } from "bun:test";
import { noUsage } from "../../contract/messages.ts";
import type { ModelEvent } from "../../contract/model.ts";
import { type AnswerReader, runStream } from "./stream-run.ts";

const source = { provider: "acme", wire: "anthropic", model: "m" } as const;

/** Shows every event as text; "." completes the answer, "!" reports a failure inside of the stream. */
class Echo implements AnswerReader<string> {
  complete = false;
  failure: AnswerReader<string>["failure"];
  text = "";
  take(event: string): ModelEvent[] {
    if (event === ".") this.complete = true;
    else if (event === "!") this.failure = { code: "overloaded", message: "busy", retryable: true };
    else this.text += event;
    return event.length === 1 && ".!".includes(event) ? [] : [{ type: "text_delta", delta: event }];
  }
  message = () => ({
    role: "assistant" as const,
    parts: this.partial(),
    source,
    stop: "end" as const,
    usage: noUsage(),
  });
  partial = () => [{ type: "text" as const, text: this.text }];
  usage = () => undefined;
}

async function read(
  events: () => AsyncGenerator<string>,
  signal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const describe = (thrown: unknown) => ({
    code: "network" as const,
    message: String(thrown),
    retryable: true,
  });
  const stream = runStream({
    provider: "acme",
    signal,
    open: async () => events(),
    reader: new Echo(),
    describe,
  });
  return Array.fromAsync(stream);
}

test("a complete stream ends once, with the message", async () => {
  const events = await read(async function* () {
    yield "a";
    yield ".";
  });
  expect(events.map((event) => event.type)).toEqual(["text_delta", "end"]);
});

test("what breaks after the terminal event cannot hurt the answer [P14]", async () => {
  const events = await read(async function* () {
    yield "a";
    yield ".";
    throw new Error("reset");
  });
  expect(events.at(-1)?.type).toBe("end");
});

test("a connection that stays open after the terminal event does not hold the answer back [P05]", async () => {
  const never = new Promise<never>(() => undefined);
  const events = await read(async function* () {
    yield ".";
    await never;
  });
  expect(events.at(-1)?.type).toBe("end");
});

test("a complete answer is read to the end of its stream, so that the connection can be used again", async () => {
  let drained = false;
  await read(async function* () {
    yield ".";
    yield "rest";
    drained = true;
  });
  expect(drained).toBe(true);
});

test("a stream that just ends, one that throws and one that reports a failure end with an error and the partial answer [P14]", async () => {
  const ended = await read(async function* () {
    yield "half";
  });
  const thrown = await read(async function* () {
    yield "half";
    throw new Error("reset");
  });
  const failed = await read(async function* () {
    yield "half";
    yield "!";
  });
  for (const [events, words] of [
    [ended, "ended early"],
    [thrown, "reset"],
    [failed, "busy"],
  ] as const)
    expect(events.at(-1)).toMatchObject({
      type: "error",
      error: { retryable: true, message: expect.stringContaining(words) },
      partial: [{ text: "half" }],
    });
});

test("after an abort the error says so, whatever the connection made of it [P05]", async () => {
  const abort = new AbortController();
  const events = await read(async function* () {
    yield "half";
    abort.abort();
    throw new Error("socket hang up");
  }, abort.signal);
  expect(events.at(-1)).toMatchObject({
    type: "error",
    error: { retryable: false, message: expect.stringContaining("aborted") },
  });
});

test("a consumer that leaves early closes the stream", async () => {
  const closed = Promise.withResolvers<void>();
  const events = async function* () {
    try {
      yield "a";
      yield "b";
    } finally {
      closed.resolve();
    }
  };
  const stream = runStream({
    provider: "acme",
    signal: new AbortController().signal,
    open: async () => events(),
    reader: new Echo(),
    describe: () => ({ code: "network", message: "", retryable: true }),
  });
  for await (const _event of stream) break;
  await closed.promise;
});
