/** What services behind an address answer to a call that is not of the protocol. */
import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { eventStream, httpServer } from "./test-support/http-server.ts";
import { address, openHub } from "./test-support/open-hub.ts";

type Id = string | number | undefined;

const json = (value: unknown, status = 200) =>
  new Response(typeof value === "string" ? value : JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json" },
  });
const event = (value: unknown) => eventStream([`data: ${JSON.stringify(value)}\n\n`]);
const result = (id: Id) => ({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "yes, é" }] } });
const error = (id: Id | null) => ({ jsonrpc: "2.0", id, error: { code: -32_602, message: "wrong words" } });

/** The result of a call to which a service answers so. */
async function called(fault: (id: Id) => Response) {
  await using ws = await workspace();
  using server = httpServer({
    fault: (_, message) => (message?.method === "tools/call" ? fault(message.id) : undefined),
  });
  await using open = openHub(ws, [address("web", server.url)]);
  await open.hub.start("all");
  return await open.call("web__t");
}

test.each([
  ["JSON that cannot be parsed", () => json("<html>"), "its answer is not of the protocol: <html>"],
  ["nothing", () => json(""), "its answer is not of the protocol: it is empty"],
  ["no result", (id: Id) => json({ jsonrpc: "2.0", id }), "its answer is not of the protocol: {"],
  ["an answer for another request", () => json(result(999)), "its answer is not of the protocol: {"],
  ["an error that is a text", (id: Id) => json({ jsonrpc: "2.0", id, error: "boom" }), ": boom"],
  ["an error for nobody", () => json(error(null)), ": wrong words"],
  ["an error without an id", () => json(error(undefined)), ": wrong words"],
  ["an error with HTTP 400", (id: Id) => json(error(id), 400), "the call: wrong words"],
  [
    "no result in a stream",
    (id: Id) => event({ jsonrpc: "2.0", id }),
    "its answer is not of the protocol: {",
  ],
])("a service that answers %s fails the call at once with its words [M07]", async (_, fault, words) => {
  const { outcome, text } = await called(fault);
  expect(outcome).toBe("failed");
  expect(text).toContain(words);
});

test("an answer that is no message of the protocol fails its call while its stream stays open [M07]", async () => {
  const open = (id: Id) =>
    new Response(
      new ReadableStream({
        start: (controller) =>
          controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify({ id, error: "boom" })}\n\n`)),
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  expect((await called(open)).text).toContain("refused the call: boom");
});

test.each([
  ["without the name of the protocol", (id: Id) => event({ ...result(id), jsonrpc: undefined })],
  ["in a list", (id: Id) => event([result(id)])],
  ["without the empty line at its end", (id: Id) => eventStream([`data: ${JSON.stringify(result(id))}`])],
  ["with the line breaks of old Macs", (id: Id) => eventStream([`data: ${JSON.stringify(result(id))}\r\r`])],
  [
    "character by character",
    (id: Id) => eventStream([...`: hello\r\n\r\ndata: ${JSON.stringify(result(id))}\r\n\r\n`]),
  ],
])("an answer in a stream is understood %s [A-EXT-03]", async (_, fault) => {
  expect(await called(fault)).toMatchObject({ outcome: "found", text: "yes, é" });
});

test("content that is a text in place of a list is not taken for nothing [A-EXT-03]", async () => {
  const plain = await called((id) => json({ jsonrpc: "2.0", id, result: { content: "plain" } }));
  expect(plain).toMatchObject({ outcome: "found", text: "plain" });
});

test("an answer that breaks off is no refusal: the call may have had its effect [M07]", async () => {
  const { text } = await called(() => eventStream([": working\n\n"]));
  expect(text).toContain(
    "broke off before its answer was complete; whether the call had an effect is not known",
  );
});

test("a session of which a service says with HTTP 400 that it is none is opened anew [A-EXT-03]", async () => {
  await using ws = await workspace();
  const none = {
    jsonrpc: "2.0",
    id: null,
    error: { code: -32_000, message: "No valid session ID provided" },
  };
  using server = httpServer({
    sessions: ["one", "two"],
    fault: (_, message, calls) =>
      message?.method === "tools/call" && calls === 1 ? json(none, 400) : undefined,
  });
  await using open = openHub(ws, [address("web", server.url)]);
  await open.hub.start("all");
  expect((await open.call("web__t")).text).toBe("ok");
  expect(server.headers().get("mcp-session-id")).toBe("two");
});
