import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { join } from "node:path";
import { call, runProcess, say, workspace } from "@pi-ts/testkit";
import type { AgentEvent } from "../contract/events.ts";
import { RPC_METHODS } from "../modes/rpc/rpc-server.ts";
import { rpcBench } from "../modes/rpc/test-support/rpc-bench.ts";
import { defaultSocketPath } from "./default-socket.ts";
import { connect, RpcConnectionError, RpcError, type RpcEvent } from "./index.ts";
import type { RpcMethods } from "./protocol.ts";

// The client's types stand alone; these lines do not compile when they and the agent's differ.
const _event: RpcEvent = {} as AgentEvent & { session_id: string };
const NAMES: Record<keyof RpcMethods, true> = {
  prompt: true,
  cancel: true,
  steer: true,
  "session.create": true,
  "session.list": true,
  "session.get": true,
  "session.unsubscribe": true,
  "session.close": true,
  "session.delete": true,
  "session.branch": true,
  "session.switch": true,
  "session.compact": true,
  "session.mode": true,
  "model.list": true,
  "model.get": true,
  "model.set": true,
  "tools.list": true,
  "consent.offer": true,
  "consent.answer": true,
  status: true,
  shutdown: true,
};

test("the client knows every method of the server, and no other [A-OUT-04]", () => {
  expect(_event).toBeDefined();
  expect(Object.keys(NAMES).sort()).toEqual([...RPC_METHODS.keys()].sort());
});

test("the events of a prompt are read one by one, up to its end [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  bench.server.reply(call("read", { file_path: "none" }));
  bench.server.reply(say(["hel", "lo"]));
  await using client = await connect({ socket: bench.path });
  const run = await client.prompt({ text: "hi" });
  let text = "";
  const types: string[] = [];
  for await (const event of run) {
    types.push(event.type);
    if (event.type === "text_delta") text += event.delta;
  }
  expect(text).toBe("hello");
  expect([types[0], types.at(-1)]).toEqual(["message_start", "message_end"]);
  expect(types).toContain("tool_result");
  expect(await run.ended).toMatchObject({ stop_reason: "end", text: "hello" });
});

test("runs of several sessions over one connection do not mix [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  bench.server.otherwise(({ body }) => [say(`to ${/PROMPT-\d/.exec(JSON.stringify(body))?.[0]}`)]);
  await using client = await connect({ socket: bench.path });
  const runs = await Promise.all([1, 2, 3].map((each) => client.prompt({ text: `PROMPT-${each}` })));
  for (const [index, run] of runs.entries())
    for await (const event of run) {
      expect(event.session_id).toBe(run.sessionId);
      if (event.type === "message_end") expect(event.text).toBe(`to PROMPT-${index + 1}`);
    }
});

test("a run is cancelled, and leaving the loop alone does not do it [A-OUT-04][H05]", async () => {
  await using bench = await rpcBench();
  const held = Promise.withResolvers<void>();
  bench.server.reply(say("one"), { kind: "hold", until: held.promise }, say("two"));
  bench.server.reply(say("one"), { kind: "hang" });
  await using client = await connect({ socket: bench.path });
  const first = await client.prompt({ text: "hi" });
  for await (const event of first) if (event.type === "text_delta") break;
  held.resolve();
  expect(await first.ended).toMatchObject({ stop_reason: "end", text: "onetwo" });
  const second = await client.prompt({ text: "again", session_id: first.sessionId });
  for await (const event of second) if (event.type === "text_delta") await second.cancel();
  expect(await second.ended).toMatchObject({ stop_reason: "aborted" });
});

test("a subscriber gets the history and what follows, until it leaves [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  bench.server.otherwise(() => [say("ok")]);
  await using one = await connect({ socket: bench.path });
  await using two = await connect({ socket: bench.path });
  const run = await one.prompt({ text: "first" });
  await run.ended;
  const heard = await two.subscribe(run.sessionId);
  expect(heard.history.map(({ type }) => type)).toEqual(["prompt", "text_delta", "turn_end"]);
  await one.prompt({ text: "second", session_id: run.sessionId });
  const types: string[] = [];
  for await (const event of heard) {
    types.push(event.type);
    if (event.type === "message_end") await heard.leave();
  }
  expect(types).toEqual(["message_start", "prompt", "text_delta", "turn_end", "message_end"]);
});

test("what the server refuses is an error with its number, its word and what to do [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  await using client = await connect({ socket: bench.path });
  const refused = await client.call("cancel", { session_id: "nothing" }).catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(RpcError);
  expect(refused).toMatchObject({ code: -32003, reason: "no_session" });
});

test("questions of a run are answered by the client that offers to [A-OUT-04]", async () => {
  await using bench = await rpcBench({ config: { permissions: { ask: ["bash(touch:*)"] } } });
  bench.server.reply(call("bash", { command: "touch made" }));
  bench.server.reply(say("done"));
  await using client = await connect({ socket: bench.path });
  client.on("consent.request", ({ request_id }) => {
    void client.call("consent.answer", { request_id, answer: "once" });
  });
  await client.call("consent.offer");
  await (await client.prompt({ text: "go" })).ended;
  expect(bench.ws.exists("made")).toBe(true);
});

test("a connection that is lost ends what waits on it with an error, and another one goes on with the session [H05]", async () => {
  await using bench = await rpcBench();
  bench.server.reply(say("so far"), { kind: "hang" });
  const client = await connect({ socket: bench.path });
  const run = await client.prompt({ text: "hi" });
  const reading = (async () => {
    for await (const event of run) if (event.type === "text_delta") void client.close();
  })();
  const lost = "RpcConnectionError: the connection to pi is over";
  expect(await reading.then(String, String)).toBe(lost);
  expect(await run.ended.then(String, String)).toBe(lost);
  expect(await client.call("status").then(String, String)).toBe(lost);
  await using again = await connect({ socket: bench.path });
  const heard = await again.subscribe(run.sessionId);
  expect(heard.history.at(-1)).toMatchObject({ type: "text_delta", delta: "so far" });
  await again.call("cancel", { session_id: run.sessionId });
});

test("where nobody listens, the error says so and what to start", async () => {
  await using ws = await workspace();
  await expect(connect({ socket: ws.at("none") })).rejects.toThrow("pi --mode rpc");
});

test("a server that does not speak the protocol ends the connection with an error", async () => {
  await using ws = await workspace();
  const server = createServer((socket) => socket.resume().end("HTTP/1.1 400 Bad Request\n"));
  await new Promise<void>((resolve) => server.listen(ws.at("s"), resolve));
  const client = await connect({ socket: ws.at("s") });
  await expect(client.call("status")).rejects.toThrow(RpcConnectionError);
  await client.closed;
  await new Promise((resolve) => server.close(resolve));
});

test("the usual place is below the runtime folder, else a folder of the user's below the temporary one", () => {
  if (process.platform === "win32") return;
  expect(defaultSocketPath({ XDG_RUNTIME_DIR: "/run/user/7" })).toBe("/run/user/7/pi-ts/rpc.sock");
  expect(defaultSocketPath({ XDG_RUNTIME_DIR: "relative", TMPDIR: "/t" })).toBe(
    `/t/pi-ts-${process.getuid!()}/rpc.sock`,
  );
});

test("plain Node loads the client, bundled as it is published [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  bench.server.reply(say("hello from pi"));
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, "index.ts")],
    target: "node",
    outdir: bench.ws.path,
  });
  expect(built.success).toBe(true);
  bench.ws.write(
    "use.mjs",
    `import { connect } from "./index.js";
     const client = await connect({ socket: ${JSON.stringify(bench.path)} });
     for await (const event of await client.prompt({ text: "hi" }))
       if (event.type === "message_end") console.log(event.text);
     await client.close();`,
  );
  const result = await runProcess(["node", "use.mjs"], { cwd: bench.ws.path, env: bench.ws.env() });
  expect(result).toMatchObject({ code: 0, stdout: "hello from pi\n", stderr: "" });
});
