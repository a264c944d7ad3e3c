import { expect, test } from "bun:test";
import type { ModelServer } from "@pi-ts/testkit";
import { fail, modelServer, runProcess, say, think } from "@pi-ts/testkit";
import type { ProviderSettings } from "../../contract/model.ts";
import { answerOf, modelOf, requestOf, run, settingsFor, user } from "../shared/test-support/wire-run.ts";
import { openaiResponsesWire } from "./client.ts";

const model = modelOf("openai-responses", {
  id: "gpt-5.5",
  levels: { off: "none", low: "low", high: "high" },
});
const client = (server: ModelServer, more: Partial<ProviderSettings> = {}) =>
  openaiResponsesWire.open(settingsFor(server, "openai-responses", more));
const refusal = (message: string) =>
  fail(400, { body: { error: { message, type: "invalid_request_error" } } });

test("variables of vendors' tools have no effect, also without a key [A-PROV-06]", async () => {
  await using server = await modelServer();
  server.reply(say("x"));
  const script = `
    const { openaiResponsesWire } = await import("${import.meta.resolve("./client.ts")}");
    const model = { provider: "p", id: "gpt-5.5", name: "n", wire: "openai-responses", known: true, contextWindow: 200000, maxOutput: 8000, images: true, reasoning: true };
    const client = openaiResponsesWire.open({ provider: "p", wire: "openai-responses", baseUrl: "${server.url}/v1/", headers: {}, fetch: (i, o) => fetch(i, o) });
    for await (const event of client.stream({ model, system: "", tools: [], messages: [{ role: "user", origin: "user", parts: [{ type: "text", text: "hi" }] }], thinking: "low" }, new AbortController().signal))
      if (event.type === "error") process.exitCode = 9;
  `;
  const result = await runProcess([process.execPath, "-e", script], {
    cwd: import.meta.dir,
    env: {
      PATH: process.env["PATH"] ?? "",
      NO_PROXY: "*",
      OPENAI_API_KEY: "env-key",
      OPENAI_ADMIN_KEY: "env-admin",
      OPENAI_BASE_URL: "http://127.0.0.1:9",
      OPENAI_ORG_ID: "org-env",
      OPENAI_PROJECT_ID: "proj-env",
      OPENAI_CUSTOM_HEADERS: "x-env: leaked",
      OPENAI_LOG: "debug",
    },
  });
  expect(result).toMatchObject({ code: 0, stdout: "", stderr: "" });
  const { headers, path } = server.request(1);
  expect(path).toBe("/v1/responses");
  for (const name of ["authorization", "openai-organization", "openai-project", "x-env"])
    expect(headers).not.toHaveProperty(name);
});

test("the key goes as a bearer token, and the user's own headers win [A-PROV-06]", async () => {
  await using server = await modelServer();
  server.reply(say("x"));
  server.reply(say("x"));
  await answerOf(client(server), requestOf(model));
  await answerOf(client(server, { headers: { Authorization: "Bearer other" } }), requestOf(model));
  expect(server.request(1).headers["authorization"]).toBe("Bearer test-key");
  expect(server.request(2).headers["authorization"]).toBe("Bearer other");
});

test("a quota that is used up is not taken for a burst, and no request is repeated [P03]", async () => {
  await using server = await modelServer();
  const error = {
    message: "You exceeded your current quota",
    type: "insufficient_quota",
    code: "insufficient_quota",
  };
  server.reply(fail(429, { body: { error }, headers: { "retry-after-ms": "10" } }));
  expect((await run(client(server), requestOf(model))).error).toMatchObject({
    code: "quota",
    retryable: false,
    status: 429,
  });
  expect(server.requests).toHaveLength(1);
});

test("a rate limit carries the wait from its headers [P03]", async () => {
  await using server = await modelServer();
  server.reply(fail(429, { headers: { "retry-after-ms": "1500", "retry-after": "9" } }));
  expect((await run(client(server), requestOf(model))).error).toMatchObject({
    code: "rate",
    retryable: true,
    retryAfterMs: 1_500,
  });
});

test("an overflow is recognised by its code [P16]", async () => {
  await using server = await modelServer();
  const error = {
    message: "Your input exceeds the context window of this model.",
    code: "context_length_exceeded",
  };
  server.reply(fail(400, { body: { error } }));
  expect((await run(client(server), requestOf(model))).error).toMatchObject({ code: "overflow" });
});

test("fields that a compatible server refuses are left out, once for all requests", async () => {
  await using server = await modelServer();
  server.when(/"prompt_cache_key"/).reply(refusal("Unknown parameter: 'prompt_cache_key'."));
  server
    .when(/"summary"/)
    .reply(refusal("Your organization must be verified to generate reasoning summaries."));
  server.when(/"role":"developer"/).reply(refusal("Unsupported value: 'developer' is not a role"));
  server.otherwise(() => [say("fine")]);
  const open = client(server);
  const request = requestOf(model, { cacheKey: "session", thinking: "high" });
  expect((await answerOf(open, request)).stop).toBe("end");
  expect((await answerOf(open, request)).stop).toBe("end");
  expect(server.requests).toHaveLength(5);
  expect(server.request(5).field("reasoning")).toEqual({ effort: "high" });
  expect(server.request(5).field("input", 0, "role")).toBe("system");
});

test("a refusal that names no such field is not repeated", async () => {
  await using server = await modelServer();
  server.reply(refusal("Invalid schema for function 'bash'"));
  expect((await run(client(server), requestOf(model))).error).toMatchObject({
    code: "invalid",
    retryable: false,
  });
  expect(server.requests).toHaveLength(1);
});

test("reasoning that the service can no longer read is left out, so that the session goes on [P07]", async () => {
  await using server = await modelServer();
  server.reply(think("hm", { signature: "enc" }), say("one"));
  const open = client(server);
  const first = await answerOf(open, requestOf(model));
  server
    .when(/"type":"reasoning"/)
    .once()
    .reply(refusal("The encrypted content for item rs_1 could not be verified."));
  server.otherwise(() => [say("two")]);
  const second = await answerOf(open, requestOf(model, { messages: [user("hello"), first, user("more")] }));
  expect(second.parts).toMatchObject([{ text: "two" }]);
  expect(server.request(3).text).not.toContain('"type":"reasoning"');
});

test("an error object in a success is read as the error that it is", async () => {
  await using server = await modelServer();
  const body = JSON.stringify({ error: { code: 502, message: "upstream is down" } });
  const fetch = () =>
    Promise.resolve(new Response(body, { headers: { "content-type": "application/json" } }));
  expect((await run(client(server, { fetch }), requestOf(model))).error).toMatchObject({
    code: "overloaded",
    status: 502,
    retryable: true,
  });
});
