/** Conversations over the socket: prompts, events, and what may be done beside them. */
import { expect, test } from "bun:test";
import { call, say, TINY_PNG } from "@pi-ts/testkit";
import { type RawClient, type RpcBench, rpcBench } from "./test-support/rpc-bench.ts";

const RUN = ["message_start", "text_delta", "turn_end", "message_end"];

/** A prompt whose run is over. */
async function prompted(client: RawClient, params: object): Promise<string> {
  const { result, error } = await client.ask("prompt", params);
  if (error !== undefined) throw new Error(error.message);
  const id = String(result!["session_id"]);
  await client.event("message_end", id);
  return id;
}

/** A run that stands still in its answer until `held` is resolved. */
async function holding(bench: RpcBench, client: RawClient, more: object = {}) {
  const held = Promise.withResolvers<void>();
  bench.server.reply(say("so far"), { kind: "hold", until: held.promise }, say(" done"));
  const { result } = await client.ask("prompt", { text: "go", ...more });
  await client.until((line) => !Array.isArray(line) && line.params?.["delta"] === "so far");
  return { id: String(result!["session_id"]), held };
}

test("a prompt is answered with its session before any event of it [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  bench.server.reply(say("hello"));
  const client = await bench.connect();
  const id = await prompted(client, { text: "hi" });
  expect(client.messages[0]).toMatchObject({ result: { session_id: id } });
  expect(client.types(id)).toEqual(RUN);
  expect(await client.event("message_end")).toMatchObject({
    session_id: id,
    stop_reason: "end",
    text: "hello",
  });
});

test("in a batch, too, events come behind the answer [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  bench.server.reply(say("hello"));
  const client = await bench.connect();
  client.write(
    '[{"jsonrpc":"2.0","id":1,"method":"prompt","params":{"text":"hi"}},{"jsonrpc":"2.0","id":2,"method":"status"}]\n',
  );
  await client.event("message_end");
  expect(Array.isArray(client.lines[0])).toBe(true);
  expect(client.types()).toEqual(RUN);
});

test("a second prompt to a busy session is -32001 busy, from whichever client, and disturbs nothing [A-OUT-04][H05]", async () => {
  await using bench = await rpcBench();
  const [one, two] = [await bench.connect(), await bench.connect()];
  const { id, held } = await holding(bench, one);
  for (const client of [one, two])
    expect((await client.ask("prompt", { text: "me too", session_id: id })).error).toMatchObject({
      code: -32001,
      data: { code: "busy" },
    });
  held.resolve();
  expect(await one.event("message_end")).toMatchObject({ text: "so far done" });
  await two.ask("status");
  expect(two.types()).toEqual([]);
  expect(one.types(id).filter((type) => type === "message_end")).toHaveLength(1);
});

test("clients and sessions at once: each client hears its own runs, whole and in order [A-OUT-04][H05]", async () => {
  await using bench = await rpcBench({ argv: ["--model", "anthropic/claude-opus-5-5", "--memory-off"] });
  bench.server.otherwise(({ body }) => [say(`answer to ${/PROMPT-\d/.exec(JSON.stringify(body))?.[0]}`)]);
  const clients = await Promise.all([1, 2, 3, 4].map(() => bench.connect()));
  const ids = await Promise.all(
    clients.flatMap((client, index) =>
      [0, 1].map(async (session) => {
        const text = `PROMPT-${2 * index + session}`;
        const id = await prompted(client, { text });
        expect(await client.event("message_end", id)).toMatchObject({ text: `answer to ${text}` });
        return id;
      }),
    ),
  );
  expect(new Set(ids).size).toBe(8);
  for (const [index, client] of clients.entries())
    for (const [at, id] of ids.entries())
      expect(client.types(id)).toEqual(Math.floor(at / 2) === index ? RUN : []);
});

test("a run is cancelled by any client, ends once, and the session takes the next prompt [A-OUT-04][H05]", async () => {
  await using bench = await rpcBench();
  const [one, two] = [await bench.connect(), await bench.connect()];
  const { id } = await holding(bench, one);
  expect((await two.ask("cancel", { session_id: id })).result).toEqual({ ok: true });
  expect(await one.event("message_end")).toMatchObject({ stop_reason: "aborted" });
  expect((await two.ask("cancel", { session_id: id })).result).toEqual({ ok: true });
  bench.server.reply(say("next"));
  await prompted(two, { text: "again", session_id: id });
  expect(await two.event("message_end")).toMatchObject({ stop_reason: "end", text: "next" });
});

test("a cancel that is sent right behind its prompt finds the run [H05]", async () => {
  await using bench = await rpcBench();
  bench.server.reply(say("one"));
  bench.server.otherwise(() => [{ kind: "hang" }]);
  const client = await bench.connect();
  const id = await prompted(client, { text: "hi" });
  await client.ask("session.close", { session_id: id });
  const params = (more: object) => JSON.stringify({ session_id: id, ...more });
  client.write(
    `{"jsonrpc":"2.0","id":"p","method":"prompt","params":${params({ text: "go" })}}\n{"jsonrpc":"2.0","id":"c","method":"cancel","params":${params({})}}\n`,
  );
  await client.until((line) => !Array.isArray(line) && line.params?.["stop_reason"] === "aborted");
});

test("steering reaches the run in progress; without one it is -32002 [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  const client = await bench.connect();
  const { id, held } = await holding(bench, client);
  bench.server.reply(say("steered"));
  expect((await client.ask("steer", { session_id: id, text: "ALSO-X" })).result).toEqual({ ok: true });
  held.resolve();
  expect(await client.event("message_end")).toMatchObject({ text: "steered" });
  expect(JSON.stringify(bench.server.request(2).body)).toContain("ALSO-X");
  expect((await client.ask("steer", { session_id: id, text: "late" })).error).toMatchObject({
    code: -32002,
    data: { code: "not_busy" },
  });
});

test("a subscriber gets the history, the message in progress so far, and then all that follows [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  bench.server.reply(call("read", { file_path: "none" }));
  bench.server.reply(say("first"));
  const [one, two] = [await bench.connect(), await bench.connect()];
  const id = await prompted(one, { text: "look" });
  const { held } = await holding(bench, one, { session_id: id });
  const { result } = await two.ask("session.get", { session_id: id, subscribe: true });
  const events = result!["events"] as { type: string; text?: string; delta?: string; session_id: string }[];
  expect(events.map(({ type }) => type)).toEqual([
    "prompt",
    "turn_end",
    "tool_call",
    "tool_result",
    "text_delta",
    "turn_end",
    "prompt",
    "text_delta",
  ]);
  expect(events.at(-1)).toEqual({ type: "text_delta", session_id: id, delta: "so far" });
  expect(result!["session"]).toMatchObject({ id, busy: true, branch: "main", cwd: bench.ws.path });
  held.resolve();
  await two.event("message_end", id);
  expect(two.types(id)).toEqual(["text_delta", "turn_end", "message_end"]);
  bench.server.reply(say("third"));
  await one.ask("prompt", { text: "and then?", session_id: id });
  expect(await two.event("prompt", id)).toMatchObject({ text: "and then?", origin: "user" });
  await one.until((line) => !Array.isArray(line) && line.params?.["text"] === "third");
  expect(one.types(id)).not.toContain("prompt");
  await two.ask("session.unsubscribe", { session_id: id });
  const heard = two.lines.length;
  bench.server.reply(say("fourth"));
  await one.ask("prompt", { text: "more", session_id: id });
  await one.until((line) => !Array.isArray(line) && line.params?.["text"] === "fourth");
  await two.ask("status");
  expect(two.lines).toHaveLength(heard + 1);
});

test("branches are made, switched and seen [A-OUT-04][A-SESS-02]", async () => {
  await using bench = await rpcBench();
  for (const text of ["one", "two"]) bench.server.reply(say(text));
  const client = await bench.connect();
  const session_id = await prompted(client, { text: "first" });
  const facts = async () =>
    (await client.ask("session.get", { session_id })).result!["session"] as { head: string; branch: string };
  const { head } = await facts();
  await client.ask("prompt", { text: "second", session_id });
  await client.until((line) => !Array.isArray(line) && line.params?.["text"] === "two");
  expect((await client.ask("session.branch", { session_id, name: "early", from: head })).result).toEqual({
    ok: true,
  });
  expect((await client.ask("session.switch", { session_id, branch: "early" })).result).toEqual({ ok: true });
  expect(await facts()).toMatchObject({ head, branch: "early", branches: ["main", "early"] });
  expect((await client.ask("session.switch", { session_id, branch: "no" })).error).toMatchObject({
    code: -32000,
    data: { code: "branch_missing" },
  });
});

test("sessions are made, listed, closed and deleted, and subscribers hear that one is gone [A-OUT-04]", async () => {
  await using bench = await rpcBench({ files: { "sub/x": "" } });
  const [one, two] = [await bench.connect(), await bench.connect()];
  bench.server.reply(say("ok"));
  const first = await prompted(one, { text: "hi", title: "first" });
  const { result } = await one.ask("session.create", { cwd: bench.ws.at("sub"), title: "second" });
  const second = result!["session_id"];
  const listed = async (params: object) =>
    ((await one.ask("session.list", params)).result!["sessions"] as { id: string }[])
      .map(({ id }) => id)
      .sort();
  expect(await listed({})).toEqual([first]);
  expect(await listed({ all: true })).toEqual([first, second].sort() as string[]);
  await two.ask("session.get", { session_id: first, subscribe: true });
  await one.ask("session.close", { session_id: first });
  await two.until((line) => !Array.isArray(line) && line.method === "session.closed");
  expect(await listed({})).toEqual([first]);
  expect((await one.ask("session.delete", { session_id: first })).result).toEqual({ ok: true });
  expect(await listed({})).toEqual([]);
});

test("a busy session is not deleted [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  const client = await bench.connect();
  const { id, held } = await holding(bench, client);
  expect((await client.ask("session.delete", { session_id: id })).error?.code).toBe(-32001);
  held.resolve();
  await client.event("message_end");
});

test("a conversation is compacted, which subscribers see and the history survives [A-OUT-04][C07]", async () => {
  await using bench = await rpcBench();
  bench.server.otherwise(({ tools }) => [say(tools.length === 0 ? "Words were said." : "ok")]);
  const client = await bench.connect();
  const long = "some words that take room ".repeat(2_000);
  const session_id = await prompted(client, { text: `FIRST ${long}` });
  for (let runs = 2; runs <= 4; runs++) {
    await client.ask("prompt", { text: `${runs} ${long}`, session_id });
    await client.until(() => client.types().filter((type) => type === "message_end").length === runs);
  }
  await client.ask("session.get", { session_id, subscribe: true });
  expect((await client.ask("session.compact", { session_id })).result).toEqual({ ok: true });
  expect(client.types(session_id)).toContain("compaction");
  const { result } = await client.ask("session.get", { session_id });
  expect(JSON.stringify(result)).toContain("FIRST");
});

test("where there is nothing to compact, the answer says so [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  const client = await bench.connect();
  const { result } = await client.ask("session.create");
  expect((await client.ask("session.compact", result)).error).toMatchObject({
    code: -32000,
    data: { code: "not_compacted" },
  });
});

test("models are listed, told and set, for a session and for those to come [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  const client = await bench.connect();
  const { result } = await client.ask("session.create");
  expect((await client.ask("model.get", result)).result).toMatchObject({
    model: "anthropic/claude-opus-5-5",
  });
  await client.ask("model.set", { ...result, model: "anthropic/claude-haiku-4-5", thinking: "low" });
  expect((await client.ask("model.get", result)).result).toMatchObject({
    model: "anthropic/claude-haiku-4-5",
    thinking: "low",
  });
  expect((await client.ask("model.get")).result).toMatchObject({ model: "anthropic/claude-opus-5-5" });
  await client.ask("model.set", { model: "anthropic/claude-sonnet-5" });
  expect((await client.ask("model.get")).result).toMatchObject({ model: "anthropic/claude-sonnet-5" });
  const { result: fresh } = await client.ask("session.create");
  expect((await client.ask("model.get", fresh)).result).toMatchObject({ model: "anthropic/claude-sonnet-5" });
  expect((await client.ask("model.set", { model: "nobody-knows-this" })).error?.code).toBe(-32000);
  const before = (await client.ask("model.get", result)).result;
  const wrong = [
    { model: "anthropic/claude-sonnet-5", thinking: "hard" },
    { model: "nosuch/model", thinking: "high" },
  ];
  for (const values of wrong)
    expect((await client.ask("model.set", { ...result, ...values })).error).toBeDefined();
  expect((await client.ask("model.get", result)).result).toEqual(before);
});

test("tools are listed, and plan mode is switched [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  const client = await bench.connect();
  const names = ((await client.ask("tools.list")).result!["tools"] as { name: string }[]).map(
    ({ name }) => name,
  );
  expect(names).toContain("edit");
  const { result } = await client.ask("session.create");
  expect((await client.ask("session.mode", { ...result, mode: "plan" })).result).toEqual({ ok: true });
  expect((await client.ask("session.get", result)).result).toMatchObject({ session: { mode: "plan" } });
});

test("pictures go to the model [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  bench.server.reply(say("a dot"));
  const client = await bench.connect();
  const data = TINY_PNG;
  await prompted(client, { text: "what is it?", images: [{ mime_type: "image/png", data }] });
  expect(JSON.stringify(bench.server.request(1).body)).toContain(data);
});

test("prompts of programs teach the memory nothing [R03]", async () => {
  await using bench = await rpcBench();
  bench.server.otherwise(() => [say("ok")]);
  const client = await bench.connect();
  const session_id = await prompted(client, { text: "We always use pnpm in this project." });
  await client.ask("session.close", { session_id });
  await prompted(client, { text: "Which package manager do we use?" });
  expect(JSON.stringify(bench.server.request(2).body)).not.toContain("pnpm");
});

const ASK = { config: { permissions: { ask: ["bash(touch:*)"] } } };
const touching = (bench: RpcBench) =>
  bench.server.otherwise(({ results }) => [
    results.length === 0 ? call("bash", { command: "touch made" }) : say(results.at(-1)!.text),
  ]);

test("what a rule asks for is refused while no client answers questions [A-OUT-04]", async () => {
  await using bench = await rpcBench(ASK);
  touching(bench);
  const client = await bench.connect();
  await prompted(client, { text: "go" });
  expect(await client.event("message_end")).toMatchObject({ text: expect.stringContaining("consent.offer") });
  expect(bench.ws.exists("made")).toBe(false);
});

test("a client that offers to answer is asked, and its answer counts [A-OUT-04]", async () => {
  await using bench = await rpcBench(ASK);
  touching(bench);
  const client = await bench.connect();
  await client.ask("consent.offer");
  await client.ask("prompt", { text: "go" });
  const question = (await client.until(
    (line) => !Array.isArray(line) && line.method === "consent.request",
  )) as {
    params: { request_id: string };
  };
  expect(question.params).toMatchObject({
    tool_name: "bash",
    rule: "bash(touch:*)",
    tool_input: { command: "touch made" },
  });
  const answer = { request_id: question.params.request_id, answer: "once" };
  expect((await client.ask("consent.answer", { ...answer, answer: "perhaps" })).error?.code).toBe(-32602);
  expect((await client.ask("consent.answer", answer)).result).toEqual({ ok: true });
  await client.event("message_end");
  expect(bench.ws.exists("made")).toBe(true);
  expect((await client.ask("consent.answer", answer)).error?.data.code).toBe("no_question");
});

test("a question whose client goes away is refused, and the run goes on [A-OUT-04]", async () => {
  await using bench = await rpcBench(ASK);
  touching(bench);
  const [asked, other] = [await bench.connect(), await bench.connect()];
  await asked.ask("consent.offer");
  const { result } = await asked.ask("prompt", { text: "go" });
  await other.ask("session.get", { ...result, subscribe: true });
  await asked.until((line) => !Array.isArray(line) && line.method === "consent.request");
  asked.socket.destroy();
  expect(await other.event("message_end")).toMatchObject({ stop_reason: "end" });
  expect(bench.ws.exists("made")).toBe(false);
});

test("a cancelled run closes its question [A-OUT-04]", async () => {
  await using bench = await rpcBench(ASK);
  touching(bench);
  const client = await bench.connect();
  await client.ask("consent.offer");
  const { result } = await client.ask("prompt", { text: "go" });
  await client.until((line) => !Array.isArray(line) && line.method === "consent.request");
  await client.ask("cancel", result);
  await client.until((line) => !Array.isArray(line) && line.method === "consent.closed");
  expect(await client.event("message_end")).toMatchObject({ stop_reason: "aborted" });
});
