import { expect, test } from "bun:test";
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { ManualClock } from "../../agent/test-support/manual-clock.ts";
import { answersBeforeEnd } from "./answers-before-end.ts";

const request = (id: number, method: string): AnyMessage => ({ jsonrpc: "2.0", id, method, params: {} });

/** An editor that has sent these and closed its side. */
function editor(messages: readonly AnyMessage[]) {
  const clock = new ManualClock();
  const written: AnyMessage[] = [];
  const readable = new ReadableStream<AnyMessage>({
    start(sender) {
      for (const message of messages) sender.enqueue(message);
      sender.close();
    },
  });
  const writable = new WritableStream<AnyMessage>({ write: (message) => void written.push(message) });
  const ending = answersBeforeEnd({ readable, writable }, clock);
  const reader = ending.readable.getReader();
  const writer = ending.writable.getWriter();
  const answer = (id: number) => writer.write({ jsonrpc: "2.0", id, result: {} });
  return { clock, written, reader, answer };
}

test("the end comes after the answer to what was asked before it", async () => {
  const { reader, answer, written } = editor([request(1, "initialize")]);
  expect((await reader.read()).value).toMatchObject({ id: 1 });
  let ended = false;
  const end = reader.read().then(({ done }) => {
    ended = done;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toBe(false);
  await answer(1);
  await end;
  expect(ended).toBe(true);
  expect(written).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
});

test("a prompt and a notification hold no end up", async () => {
  const { reader } = editor([
    request(1, "session/prompt"),
    { jsonrpc: "2.0", method: "session/cancel", params: {} },
  ]);
  await reader.read();
  await reader.read();
  expect((await reader.read()).done).toBe(true);
});

test("a request that is never answered holds the end up for five seconds", async () => {
  const { reader, clock } = editor([request(1, "session/new")]);
  await reader.read();
  const end = reader.read();
  await clock.sleeping(5_000);
  clock.advance(5_000);
  expect((await end).done).toBe(true);
});
