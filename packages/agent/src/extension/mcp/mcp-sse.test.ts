/** Servers behind the transport before streamable HTTP, whose answers all come in one stream. */
import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { initializeResult, TOOLS } from "./test-support/http-server.ts";
import { address, openHub } from "./test-support/open-hub.ts";

interface OlderServer extends Disposable {
  url: string;
  streams(): number;
  endStream(): void;
}

/** `onCall` hears of the first call in place of its answer; `mute`: the stream opens and stays empty. */
function olderServer(plan: { onCall?(server: OlderServer): void; mute?: boolean } = {}): OlderServer {
  let stream: ReadableStreamDefaultController<Uint8Array>;
  let streams = 0;
  let calls = 0;
  const say = (name: string, data: string) =>
    stream.enqueue(new TextEncoder().encode(`event: ${name}\ndata: ${data}\n\n`));
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      if (request.method === "GET") {
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            stream = controller;
            streams++;
            if (plan.mute !== true) say("endpoint", `/messages?session=${streams}`);
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      }
      const message = (await request.json()) as { id?: number; method: string };
      if (message.method === "tools/call" && ++calls === 1 && plan.onCall !== undefined) plan.onCall(older);
      else if (message.id !== undefined) {
        const content = [{ type: "text", text: `from stream ${streams}` }];
        const results: Record<string, object> = {
          initialize: initializeResult(message),
          "tools/list": TOOLS,
          "tools/call": { content },
        };
        say("message", JSON.stringify({ jsonrpc: "2.0", id: message.id, result: results[message.method] }));
      }
      return new Response("Accepted", { status: 202 });
    },
  });
  const older: OlderServer = {
    url: `http://127.0.0.1:${server.port}/sse`,
    streams: () => streams,
    endStream: () => stream.close(),
    [Symbol.dispose]() {
      void server.stop(true);
    },
  };
  return older;
}

test("a stream that ends in a call fails it at once, and the next call has a new one [M07]", async () => {
  await using ws = await workspace();
  using server = olderServer({ onCall: ({ endStream }) => endStream() });
  await using open = openHub(ws, [address("web", server.url, { protocol: "sse" })]);
  await open.hub.start("all");
  expect((await open.call("web__t")).text).toContain(
    "ended during the call; whether the call had an effect is not known",
  );
  expect((await open.call("web__t")).text).toBe("from stream 2");
});

test("a stream that ends while nobody calls is opened anew before the next call [A-EXT-03]", async () => {
  await using ws = await workspace();
  using server = olderServer();
  await using open = openHub(ws, [address("web", server.url, { protocol: "sse" })]);
  await open.hub.start("all");
  server.endStream();
  while (open.hub.find("web")!.state === "ready") await new Promise(setImmediate);
  expect((await open.call("web__t")).text).toBe("from stream 2");
  expect(server.streams()).toBe(2);
});

test("a stream that opens and says nothing is given up after the time for a start [M01]", async () => {
  await using ws = await workspace();
  using server = olderServer({ mute: true });
  await using open = openHub(ws, [address("web", server.url, { protocol: "sse" }, { startMs: 200 })]);
  await open.hub.start("all");
  expect(open.hub.find("web")!.state as string).toBe("failed");
  expect(open.hub.find("web")!.problem).toEndWith("/sse does not answer");
});
