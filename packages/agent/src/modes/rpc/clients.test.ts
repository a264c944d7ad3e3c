/** Clients that are slow, vanish, or are somebody else's. */
import { expect, test } from "bun:test";
import { say } from "@pi-ts/testkit";
import { RPC_LIMITS } from "./rpc-connection.ts";
import { rpcBench } from "./test-support/rpc-bench.ts";

test("a client that vanishes during its run ends nothing: the run goes on and is there for the next one [A-OUT-04][H05]", async () => {
  await using bench = await rpcBench();
  const held = Promise.withResolvers<void>();
  bench.server.reply({ kind: "hold", until: held.promise }, say("all the same"));
  const [one, two] = [await bench.connect(), await bench.connect()];
  const { result } = await one.ask("prompt", { text: "go" });
  await bench.server.waitFor(1);
  one.socket.destroy();
  await one.closed;
  const got = await two.ask("session.get", { ...result, subscribe: true });
  expect(got.result).toMatchObject({ session: { busy: true } });
  held.resolve();
  expect(await two.event("message_end")).toMatchObject({ stop_reason: "end", text: "all the same" });
});

test("a client that vanishes in the middle of a message is forgotten [H05]", async () => {
  await using bench = await rpcBench();
  const [one, two] = [await bench.connect(), await bench.connect()];
  await one.ask("status");
  one.write('{"jsonrpc":"2.0","id":1,"method":"sta');
  one.socket.destroy();
  await one.closed;
  const clients = async () => (await two.ask("status")).result!["clients"];
  while ((await clients()) !== 1);
});

test("a client that does not read is dropped with a word, and neither its run nor the others notice [A-OUT-04][H05]", async () => {
  await using bench = await rpcBench();
  const piece = "x".repeat(256 * 1024);
  const pieces = Math.ceil((2 * RPC_LIMITS.events) / piece.length);
  bench.server.reply(say(Array<string>(pieces).fill(piece)));
  const [slow, reader] = [await bench.connect(), await bench.connect()];
  const { result } = await slow.ask("session.create");
  await reader.ask("session.get", { ...result, subscribe: true });
  await slow.ask("session.get", { ...result, subscribe: true });
  slow.socket.pause();
  await reader.ask("prompt", { text: "a lot", ...result });
  const { text } = await reader.event("message_end");
  expect((text as string).length).toBe(pieces * piece.length);
  await bench.loseGrace();
  expect(bench.told.join()).toContain("a client did not read its events and was dropped");
  expect((await reader.ask("status")).result).toMatchObject({ clients: 1 });
});

test("a client that asks without reading the answers is not read either until it does [H05]", async () => {
  await using bench = await rpcBench();
  const [greedy, other] = [await bench.connect(), await bench.connect()];
  greedy.socket.pause();
  const asked = 60_000;
  for (let id = 0; id < asked; id++) greedy.write(`{"jsonrpc":"2.0","id":${id},"method":"status"}\n`);
  expect((await other.ask("status")).result).toBeDefined();
  greedy.socket.resume();
  await greedy.until((line) => !Array.isArray(line) && line.id === asked - 1);
  expect(greedy.lines).toHaveLength(asked);
});

test("a client that ends its side gets the events of its run before the connection is closed [H05]", async () => {
  await using bench = await rpcBench();
  bench.server.reply(say("still there"));
  const client = await bench.connect({ halfOpen: true });
  client.socket.end('{"jsonrpc":"2.0","id":1,"method":"prompt","params":{"text":"hi"}}\n');
  await client.closed;
  expect(client.types()).toEqual(["message_start", "text_delta", "turn_end", "message_end"]);
});

test("a connection of another user is refused by name [H05]", async () => {
  await using bench = await rpcBench({ peer: () => 54_321 });
  const client = await bench.connect();
  expect(await client.until(() => true)).toMatchObject({ error: { data: { code: "other_user" } } });
  await client.closed;
  expect(bench.told).toContain("a connection of user 54321 was refused");
});

test("when the server ends, runs end with message_end, sessions are saved, and later requests are refused [A-OUT-04][H05]", async () => {
  await using bench = await rpcBench();
  bench.server.reply(say("so far"), { kind: "hang" });
  const client = await bench.connect();
  const { result } = await client.ask("prompt", { text: "go" });
  await client.event("text_delta");
  await bench.stop();
  await client.closed;
  expect(await client.event("message_end")).toMatchObject({ stop_reason: "aborted" });
  const again = bench.another();
  const messages = (await again.open(String(result!["session_id"]), {})).messages();
  expect(JSON.stringify(messages)).toContain("so far");
});

test("shutdown is answered before the server ends [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  const client = await bench.connect();
  expect((await client.ask("shutdown")).result).toEqual({ ok: true });
  await client.closed;
});
