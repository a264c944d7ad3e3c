import { expect, test } from "bun:test";
import { say } from "../blocks.ts";
import { modelServer } from "../server.ts";
import { fineBody, post, refusal } from "../test-support/requests.ts";
import type { Fields } from "../wire.ts";

const user = (content: unknown): Fields => ({ role: "user", content });
const made = (id: string, text = "{}"): Fields => ({
  id,
  type: "function",
  function: { name: "read", arguments: text },
});
const calls = (...tool_calls: Fields[]): Fields => ({ role: "assistant", content: null, tool_calls });
const answer = (tool_call_id: string): Fields => ({ role: "tool", tool_call_id, content: "r" });

const refused: [title: string, more: Fields, said: string][] = [
  [
    "a call without an answer",
    { messages: [user("a"), calls(made("c1")), user("b")] },
    "did not have response messages: c1",
  ],
  [
    "an answer to only one of two calls",
    { messages: [user("a"), calls(made("c1"), made("c2")), answer("c1")] },
    "c2",
  ],
  [
    "an answer after another message",
    { messages: [user("a"), calls(made("c1")), user("b"), answer("c1")] },
    "c1",
  ],
  ["an answer to nothing", { messages: [user("a"), answer("c1")] }, "must be a response"],
  [
    "a doubled answer",
    { messages: [user("a"), calls(made("c1")), answer("c1"), answer("c1")] },
    "must be a response",
  ],
  [
    "a call id of 41 characters",
    { messages: [user("a"), calls(made("c".repeat(41))), answer("c".repeat(41))] },
    "too long",
  ],
  ["an empty call id", { messages: [user("a"), calls(made("")), answer("x")] }, "non-empty"],
  ["broken arguments", { messages: [user("a"), calls(made("c1", '{"a":')), answer("c1")] }, "not valid JSON"],
  [
    "arguments that are a list",
    { messages: [user("a"), calls(made("c1", "[]")), answer("c1")] },
    "JSON object",
  ],
  [
    "an empty list of calls",
    { messages: [user("a"), { role: "assistant", content: "x", tool_calls: [] }, user("b")] },
    "too short",
  ],
  [
    "an empty assistant message",
    { messages: [user("a"), { role: "assistant", content: "" }, user("b")] },
    "needs content",
  ],
  [
    "an image in a tool message",
    {
      messages: [
        user("a"),
        calls(made("c1")),
        {
          ...answer("c1"),
          content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
        },
      ],
    },
    "not allowed here",
  ],
  ["both limits at once", { max_tokens: 1, max_completion_tokens: 1 }, "same time"],
  ["tool_choice without tools", { tools: undefined, tool_choice: "auto" }, "only allowed when 'tools'"],
  ["an empty list of tools", { tools: [] }, "too short"],
  [
    "a strict schema with an optional property",
    {
      tools: [
        {
          type: "function",
          function: {
            name: "x",
            strict: true,
            parameters: {
              type: "object",
              properties: { a: { type: "string" } },
              required: [],
              additionalProperties: false,
            },
          },
        },
      ],
    },
    "strict needs every property",
  ],
];
for (const [title, more, said] of refused)
  test(`${title} is refused`, async () => {
    await using server = await modelServer();
    expect(await refusal(server, "openai-chat", fineBody("openai-chat", more))).toContain(said);
  });

test("calls with all their answers are taken and read", async () => {
  await using server = await modelServer();
  server.reply(say("done"));
  const messages = [user("a"), calls(made("c1", '{"x":1}'), made("c2")), answer("c2"), answer("c1")];
  expect((await post(server, "openai-chat", fineBody("openai-chat", { messages }))).status).toBe(200);
  expect(server.request(1).calls[0]).toEqual({ id: "c1", name: "read", args: { x: 1 } });
  expect(server.request(1).results.map((result) => result.id)).toEqual(["c2", "c1"]);
});
