import { expect, test } from "bun:test";
import type { ModelServer } from "@pi-ts/testkit";
import { fail, modelServer, runProcess, say, think } from "@pi-ts/testkit";
import type { ProviderSettings } from "../../contract/model.ts";
import { answerOf, modelOf, requestOf, run, settingsFor, user } from "../shared/test-support/wire-run.ts";
import { anthropicWire } from "./client.ts";

const model = modelOf("anthropic", { id: "claude-sonnet-4-6" });
const client = (server: ModelServer, more: Partial<ProviderSettings> = {}) =>
  anthropicWire.open(settingsFor(server, "anthropic", more));

test("the key goes as x-api-key with the version that gateways know, and nothing else tells who we are [A-PROV-06]", async () => {
  await using server = await modelServer();
  server.reply(say("x"));
  await answerOf(client(server, { headers: { "X-Team": "blue" } }), requestOf(model));
  const { headers } = server.request(1);
  expect(headers).toMatchObject({
    "x-api-key": "test-key",
    "anthropic-version": "2023-06-01",
    "x-team": "blue",
  });
  expect(headers).not.toHaveProperty("authorization");
  expect(Object.keys(headers).filter((name) => name.startsWith("x-stainless"))).toEqual([]);
});

test("variables of vendors' tools have no effect and a model near its end prints no warning [A-PROV-06]", async () => {
  await using server = await modelServer();
  server.reply(say("x"));
  const script = `
    const { anthropicWire } = await import("${import.meta.resolve("./client.ts")}");
    const model = { provider: "p", id: "claude-sonnet-4-5", name: "n", wire: "anthropic", known: true, contextWindow: 200000, maxOutput: 8000, images: true, reasoning: true };
    const client = anthropicWire.open({ provider: "p", wire: "anthropic", baseUrl: "${server.url}/v1/", headers: {}, fetch: (i, o) => fetch(i, o) });
    for await (const event of client.stream({ model, system: "", tools: [], messages: [{ role: "user", origin: "user", parts: [{ type: "text", text: "hi" }] }], thinking: "low" }, new AbortController().signal))
      if (event.type === "error") process.exitCode = 9;
  `;
  const result = await runProcess([process.execPath, "-e", script], {
    cwd: import.meta.dir,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: "/nonexistent",
      NO_PROXY: "*",
      ANTHROPIC_API_KEY: "env-key",
      ANTHROPIC_AUTH_TOKEN: "env-token",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
      ANTHROPIC_CUSTOM_HEADERS: "x-env: leaked",
      ANTHROPIC_PROFILE: "nobody",
      ANTHROPIC_LOG: "debug",
    },
  });
  expect(result).toMatchObject({ code: 0, stdout: "", stderr: "" });
  const { headers, path } = server.request(1);
  expect(path).toBe("/v1/messages");
  for (const name of ["x-api-key", "authorization", "x-env"]) expect(headers).not.toHaveProperty(name);
});

test("one refused request is one request, with the wait that the service asks for [P03]", async () => {
  await using server = await modelServer();
  server.reply(fail(429, { headers: { "retry-after": "2" } }));
  const { error } = await run(client(server), requestOf(model));
  expect(error).toMatchObject({ code: "rate", status: 429, retryable: true, retryAfterMs: 2_000 });
  expect(server.requests).toHaveLength(1);
});

test("an overload is retryable and a bad key is not [P04]", async () => {
  await using server = await modelServer();
  server.reply(fail(529));
  server.reply(fail(401));
  const open = client(server);
  expect((await run(open, requestOf(model))).error).toMatchObject({ code: "overloaded", retryable: true });
  expect((await run(open, requestOf(model))).error).toMatchObject({
    code: "auth",
    retryable: false,
    hint: expect.any(String),
  });
});

test("an overflow is recognised [P16]", async () => {
  await using server = await modelServer();
  const error = {
    type: "invalid_request_error",
    message: "prompt is too long: 210000 tokens > 200000 maximum",
  };
  server.reply(fail(400, { body: { type: "error", error } }));
  expect((await run(client(server), requestOf(model))).error).toMatchObject({
    code: "overflow",
    retryable: false,
  });
});

test("the key never shows in an error, even if the service repeats it", async () => {
  await using server = await modelServer();
  server.reply(fail(401, { body: { error: { message: "bad key test-key given" } } }));
  const { error } = await run(client(server), requestOf(model));
  expect(error?.message).toContain("bad key [redacted] given");
});

test("a web page instead of a stream is told as such and not retried", async () => {
  await using server = await modelServer();
  const page = () =>
    Promise.resolve(
      new Response("<html><title>Log in</title></html>", { headers: { "content-type": "text/html" } }),
    );
  const { error } = await run(client(server, { fetch: page }), requestOf(model));
  expect(error).toMatchObject({
    code: "invalid",
    retryable: false,
    message: expect.stringContaining("Log in"),
  });
});

test("a refused connection is a retryable network failure that names its code", async () => {
  await using server = await modelServer();
  const { error } = await run(client(server, { baseUrl: "http://127.0.0.1:1" }), requestOf(model));
  expect(error).toMatchObject({
    code: "network",
    retryable: true,
    message: expect.stringContaining("refused"),
  });
});

test("a field that a gateway refuses is left out, once for all requests", async () => {
  await using server = await modelServer();
  server
    .when((request) => /cache_control/.test(request.text))
    .reply(
      fail(400, {
        body: {
          error: {
            type: "invalid_request_error",
            message: "system.0.cache_control: Extra inputs are not permitted",
          },
        },
      }),
    );
  server.otherwise(() => [say("fine")]);
  const open = client(server);
  expect((await answerOf(open, requestOf(model))).stop).toBe("end");
  expect((await answerOf(open, requestOf(model))).stop).toBe("end");
  expect(server.requests).toHaveLength(3);
});

test("thinking that the service no longer takes is stripped, so that the session goes on [P07]", async () => {
  await using server = await modelServer();
  server.reply(think("hm", { signature: "sig" }), say("one"));
  const open = client(server);
  const first = await answerOf(open, requestOf(model));
  server
    .when(/"signature"/)
    .once()
    .reply(
      fail(400, {
        body: {
          error: {
            type: "invalid_request_error",
            message: "messages.1.content.0: The block is bound to a different conversation",
          },
        },
      }),
    );
  server.otherwise(() => [say("two")]);
  const request = requestOf(model, { messages: [user("hello"), first, user("more")] });
  expect((await answerOf(open, request)).parts).toEqual([{ type: "text", text: "two" }]);
  expect(server.request(3).text).not.toContain('"signature"');
  expect(server.request(3).assistantTexts).toEqual(["one"]);
});
