import { expect, test } from "bun:test";
import { call, redacted, say, think } from "../blocks.ts";
import { type ModelServer, modelServer } from "../server.ts";
import { events, fineBody, post, refusal } from "../test-support/requests.ts";
import type { Fields } from "../wire.ts";

const user = (content: unknown): Fields => ({ role: "user", content });
const assistant = (...content: Fields[]): Fields => ({ role: "assistant", content });
const use = (id: string, name = "read"): Fields => ({ type: "tool_use", id, name, input: {} });
const result = (id: string, more: Fields = {}): Fields => ({
  type: "tool_result",
  tool_use_id: id,
  content: "r",
  ...more,
});
const text = (value: string): Fields => ({ type: "text", text: value });
const mark = { cache_control: { type: "ephemeral" } };

const refused: [title: string, more: Fields, said: string][] = [
  ["no max_tokens", { max_tokens: undefined }, "max_tokens"],
  ["an empty text block", { messages: [user([text("")])] }, "non-empty"],
  ["a text block of spaces", { messages: [user([text("  ")])] }, "non-whitespace"],
  ["empty content", { messages: [user([])] }, "non-empty content"],
  ["a first message of the assistant", { messages: [assistant(text("a")), user("b")] }, "first message"],
  ["a last message of the assistant", { messages: [user("a"), assistant(text("b"))] }, "prefill"],
  [
    "a call without a result",
    { messages: [user("a"), assistant(use("t1")), user("b")] },
    "without `tool_result`",
  ],
  [
    "a result that comes one message late",
    { messages: [user("a"), assistant(use("t1")), user("b"), assistant(text("c")), user([result("t1")])] },
    "without `tool_result`",
  ],
  [
    "a result without a call",
    { messages: [user("a"), assistant(text("b")), user([result("t1")])] },
    "unexpected `tool_use_id`",
  ],
  [
    "a doubled result",
    { messages: [user("a"), assistant(use("t1")), user([result("t1"), result("t1")])] },
    "single result",
  ],
  [
    "text before a result",
    { messages: [user("a"), assistant(use("t1")), user([text("b"), result("t1")])] },
    "before all other content",
  ],
  [
    "a call id that comes twice",
    {
      messages: [
        user("a"),
        assistant(use("t1")),
        user([result("t1")]),
        assistant(use("t1")),
        user([result("t1")]),
      ],
    },
    "unique",
  ],
  [
    "a call id with a colon",
    { messages: [user("a"), assistant(use("t:1")), user([result("t:1")])] },
    "does not match",
  ],
  [
    "arguments that are no object",
    { messages: [user("a"), assistant({ ...use("t1"), input: "x" }), user([result("t1")])] },
    "must be an object",
  ],
  ["a call in a user message", { messages: [user([use("t1")])] }, "not allowed in a user message"],
  [
    "an image in an error result",
    {
      messages: [
        user("a"),
        assistant(use("t1")),
        user([
          result("t1", {
            is_error: true,
            content: [
              { type: "image", source: { type: "base64", media_type: "image/gif", data: btoa("GIF89a") } },
            ],
          }),
        ]),
      ],
    },
    "must be text",
  ],
  [
    "an image of another kind than it says",
    {
      messages: [
        user([{ type: "image", source: { type: "base64", media_type: "image/png", data: btoa("GIF89a") } }]),
      ],
    },
    "does not match the provided media type",
  ],
  [
    "five cache marks",
    { messages: [user([1, 2, 3, 4, 5].map((n) => ({ ...text(`${n}`), ...mark })))] },
    "maximum of 4",
  ],
  [
    "temperature with thinking",
    { max_tokens: 4000, thinking: { type: "enabled", budget_tokens: 2000 }, temperature: 1 },
    "temperature",
  ],
  [
    "a thinking budget over max_tokens",
    { thinking: { type: "enabled", budget_tokens: 2000 } },
    "greater than",
  ],
  [
    "a root anyOf",
    { tools: [{ name: "x", input_schema: { type: "object", anyOf: [{ type: "object" }] } }] },
    "anyOf",
  ],
  [
    "a tool name of 65 characters",
    { tools: [{ name: "x".repeat(65), input_schema: { type: "object" } }] },
    "does not match",
  ],
  [
    "two tools of one name",
    { tools: ["x", "x"].map((name) => ({ name, input_schema: { type: "object" } })) },
    "unique",
  ],
  [
    "thinking that this server never gave",
    {
      messages: [
        user("a"),
        assistant({ type: "thinking", thinking: "t", signature: "forged" }, text("b")),
        user("c"),
      ],
    },
    "Invalid `signature`",
  ],
  [
    "thinking without a signature",
    {
      messages: [
        user("a"),
        assistant({ type: "thinking", thinking: "t", signature: "" }, text("b")),
        user("c"),
      ],
    },
    "signature",
  ],
];

for (const [title, more, said] of refused)
  test(`${title} is refused`, async () => {
    await using server = await modelServer();
    expect(await refusal(server, "anthropic", fineBody("anthropic", more))).toContain(said);
  });

test("a missing version header is refused", async () => {
  await using server = await modelServer();
  expect(
    await refusal(server, "anthropic", fineBody("anthropic"), { headers: { "anthropic-version": "" } }),
  ).toContain("anthropic-version");
});

test("sampling is refused since the version that dropped it", async () => {
  await using server = await modelServer();
  const headers = { "anthropic-version": "2026-10-21" };
  expect(
    await refusal(server, "anthropic", fineBody("anthropic", { temperature: 0 }), { headers }),
  ).toContain("temperature");
});

const thinking = { max_tokens: 4000, thinking: { type: "adaptive" } };

/** One answer with thinking and two calls; gives the blocks as the service sent them. */
async function thoughtfulTurn(server: ModelServer, model: string): Promise<Fields[]> {
  server.reply(
    think("first"),
    redacted("hidden"),
    call("read", {}, { id: "t1" }),
    call("read", {}, { id: "t2" }),
  );
  const sent = await (await post(server, "anthropic", fineBody("anthropic", { ...thinking, model }))).text();
  const signature = events(sent)
    .map((event) => (event["delta"] as Fields | undefined)?.["signature"])
    .find((value) => value !== undefined);
  return [
    { type: "thinking", thinking: "first", signature },
    { type: "redacted_thinking", data: "hidden" },
    use("t1"),
    use("t2"),
  ];
}

function followUp(model: string, blocks: Fields[], first = "hi"): Fields {
  return fineBody("anthropic", {
    ...thinking,
    model,
    messages: [user(first), assistant(...blocks), user([result("t1"), result("t2")])],
  });
}

test("a turn that comes back whole is taken", async () => {
  await using server = await modelServer();
  const blocks = await thoughtfulTurn(server, "claude-opus-5-5");
  server.reply(say("done"));
  expect((await post(server, "anthropic", followUp("claude-opus-5-5", blocks))).status).toBe(200);
});

const spoiled: [title: string, spoil: (blocks: Fields[]) => Fields[], said: string][] = [
  ["changed thinking text", ([a, ...rest]) => [{ ...a, thinking: "First" }, ...rest], "cannot be modified"],
  ["missing thinking in a tool loop", (blocks) => blocks.slice(1), "cannot be modified"],
  ["missing redacted thinking in a tool loop", ([a, , ...rest]) => [a!, ...rest], "cannot be modified"],
  ["thinking after its calls", ([a, b, ...rest]) => [...rest, a!, b!], "another order"],
  ["thinking and redacted thinking swapped", ([a, b, ...rest]) => [b!, a!, ...rest], "another order"],
];
for (const [title, spoil, said] of spoiled)
  test(`${title} is refused`, async () => {
    await using server = await modelServer();
    const blocks = await thoughtfulTurn(server, "claude-test");
    expect(await refusal(server, "anthropic", followUp("claude-test", spoil(blocks)))).toContain(said);
  });

test("thinking of another model is refused", async () => {
  await using server = await modelServer();
  const blocks = await thoughtfulTurn(server, "claude-test");
  expect(await refusal(server, "anthropic", followUp("claude-other", blocks))).toContain("cannot read it");
});

test("another model need not get the thinking", async () => {
  await using server = await modelServer();
  const blocks = await thoughtfulTurn(server, "claude-test");
  server.reply(say("done"));
  expect((await post(server, "anthropic", followUp("claude-other", blocks.slice(2)))).status).toBe(200);
});

test("bound thinking is refused after an edit of what came before it", async () => {
  await using server = await modelServer();
  const blocks = await thoughtfulTurn(server, "claude-opus-5-5");
  expect(await refusal(server, "anthropic", followUp("claude-opus-5-5", blocks, "hello"))).toContain(
    "bound to a different conversation",
  );
});

test("bound thinking need not come back after an edit of what came before it", async () => {
  await using server = await modelServer();
  const blocks = await thoughtfulTurn(server, "claude-opus-5-5");
  server.reply(say("done"));
  const edited = followUp("claude-opus-5-5", blocks.slice(2), "hello");
  expect((await post(server, "anthropic", edited)).status).toBe(200);
});
