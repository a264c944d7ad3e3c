import { expect, test } from "bun:test";
import { serverSentEvents } from "./sse.ts";

/** The events of a body that arrives in chunks of `size` bytes. */
async function eventsOf(text: string, size = 7): Promise<{ event: string; data: string }[]> {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  return Array.fromAsync(serverSentEvents(body));
}

test("comments, ids and unknown fields are no events", async () => {
  expect(await eventsOf(": keep-alive\n\nid: 1\nretry: 5\nfoo\ndata: x\n\n")).toEqual([
    { event: "message", data: "x" },
  ]);
});

test("data needs no space after the colon and keeps all but the first one", async () => {
  expect(await eventsOf("data:a\n\ndata:  b\n\n")).toEqual([
    { event: "message", data: "a" },
    { event: "message", data: " b" },
  ]);
});

test("several data lines are one event, joined by a line feed", async () => {
  expect(await eventsOf("data: {\r\ndata: }\r\n\r\n", 1)).toEqual([{ event: "message", data: "{\n}" }]);
});

test("an event's name holds for that event only", async () => {
  expect(await eventsOf("event: error\ndata: 1\n\ndata: 2\n\n")).toEqual([
    { event: "error", data: "1" },
    { event: "message", data: "2" },
  ]);
});

test("an event without its closing empty line is given at the end of the body", async () => {
  expect(await eventsOf("data: [DONE]")).toEqual([{ event: "message", data: "[DONE]" }]);
});
