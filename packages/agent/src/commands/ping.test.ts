import { expect, test } from "bun:test";
import { fail, hang, modelServer, say, usage } from "@pi-ts/testkit";
import type { CommandBlock, CommandResult } from "../contract/command.ts";
import { type ResolvedModel, resolveModel } from "../provider/registry/resolve.ts";
import { loadWire } from "../provider/registry/wires.ts";
import { type PingTarget, pingCommand } from "./ping.ts";

async function resolved(url: string): Promise<ResolvedModel> {
  const key = { variable: "ANTHROPIC_API_KEY", source: "the environment", value: "sk-ant-secret" };
  return resolveModel({
    request: "claude-opus-5-5",
    roles: {},
    providers: {},
    environment: { ANTHROPIC_BASE_URL: url },
    keys: { find: (variable) => (variable === key.variable ? key : undefined) },
    environmentFile: "~/.pi-go/.env",
    flagHeaders: { "x-mine": "1" },
    fetch,
  });
}

async function targetOf(url: string): Promise<PingTarget> {
  const { model, settings, notices } = await resolved(url);
  const client = (await loadWire(settings.wire)).open(settings);
  const key = { variable: "ANTHROPIC_API_KEY", source: "the environment", masked: "sk-a…" };
  return { model, baseUrl: settings.baseUrl, key, client, notices };
}

function clock() {
  let now = 0;
  return { now: () => (now += 10) };
}

async function ping(
  target: PingTarget,
  words: string[] = [],
  signal = new AbortController().signal,
  patienceMs = 0,
): Promise<CommandResult> {
  return pingCommand.run(
    { words, options: {} },
    { ping: { target: async () => target, clock: clock(), patienceMs } },
    signal,
  );
}

function cells(blocks: CommandBlock[]): Record<string, string> {
  return Object.fromEntries(
    blocks.flatMap((block) => (block.kind === "table" ? block.rows : [])) as [string, string][],
  );
}

test("ping shows where the request went, with which key, how long it took, and the reply [U03]", async () => {
  await using server = await modelServer();
  server.reply(say("pong"), usage({ input: 12, output: 1, cache_read: 0, cache_write: 0 }));
  const result = await ping(await targetOf(server.url));
  expect(result.exitCode).toBe(0);
  expect(cells(result.blocks)).toEqual({
    model: "anthropic/claude-opus-5-5",
    address: `${server.url} (anthropic)`,
    key: "ANTHROPIC_API_KEY from the environment: sk-a…",
    "first output": "10 ms",
    total: "20 ms",
    tokens: "12 in, 1 out",
    reply: "pong",
    result: "alive",
  });
  expect(JSON.stringify(result)).not.toContain("sk-ant-secret");
});

test("ping's request equals a prompt's in address and headers [U03]", async () => {
  await using server = await modelServer();
  server.reply(say("pong"));
  server.reply(say("answer"));
  const target = await targetOf(server.url);
  await ping(target, ["hello"]);
  const prompt = {
    role: "user" as const,
    parts: [{ type: "text" as const, text: "hello" }],
    origin: "user" as const,
  };
  const request = {
    model: target.model,
    system: "agent",
    tools: [],
    messages: [prompt],
    thinking: "off" as const,
  };
  for await (const event of target.client.stream(request, new AbortController().signal)) void event;
  const [first, second] = [server.request(1), server.request(2)];
  const comparable = ({ "content-length": _length, ...headers }: Record<string, string>) => headers;
  expect(first.path).toBe(second.path);
  expect(comparable(first.headers)).toEqual(comparable(second.headers));
  expect(first.headers["x-mine"]).toBe("1");
  expect(first.userTexts).toEqual(["hello"]);
});

test.each([
  [401, "auth"],
  [404, "not_found"],
  [402, "quota"],
])(
  "a refusal with %d is shown with its status and a hint, and asked only once [U03]",
  async (status, code) => {
    await using server = await modelServer();
    server.reply(fail(status, { body: { type: "error", error: { type: "x", message: "refused" } } }));
    const result = await ping(await targetOf(server.url));
    expect(result.exitCode).toBe(1);
    expect(cells(result.blocks)["result"]).toContain(String(status));
    expect(cells(result.blocks)["hint"]).toBeString();
    expect(result.data).toMatchObject({ alive: false, error: { code, status } });
    expect(server.requests).toHaveLength(1);
  },
);

test("an empty answer is no sign of life", async () => {
  await using server = await modelServer();
  server.reply(say(""));
  const result = await ping(await targetOf(server.url));
  expect(result.exitCode).toBe(1);
});

test("an interrupted ping exits with 130", async () => {
  await using server = await modelServer();
  const controller = new AbortController();
  controller.abort();
  const result = await ping(await targetOf(server.url), [], controller.signal);
  expect(result.exitCode).toBe(130);
});

test("ping takes one text; a longer line is a prompt", () => {
  expect(pingCommand.accepts({ words: [], options: {} })).toBe(true);
  expect(pingCommand.accepts({ words: ["hello there"], options: {} })).toBe(true);
  expect(pingCommand.accepts({ words: ["the", "server", "please"], options: {} })).toBe(false);
});

test("a service that says nothing is not waited for without end [U03][P05]", async () => {
  await using server = await modelServer();
  server.reply(hang());
  const { exitCode, blocks } = await ping(await targetOf(server.url), [], undefined, 20);
  expect(exitCode).toBe(1);
  expect(cells(blocks)["result"]).toBe("no answer within 0.02 s");
  expect(cells(blocks)["hint"]).toContain("--timeout");
});
