import { expect, test } from "bun:test";
import { say } from "../blocks.ts";
import { modelServer } from "../server.ts";
import { fineBody, post, refusal } from "../test-support/requests.ts";
import type { Fields } from "../wire.ts";

const user = (content: unknown): Fields => ({ role: "user", content });
const calls = (...names: string[]): Fields => ({
  role: "assistant",
  content: "",
  tool_calls: names.map((name) => ({ function: { name, arguments: {} } })),
});
const answer = (tool_name: string): Fields => ({ role: "tool", tool_name, content: "r" });

const refused: [title: string, more: Fields, said: string][] = [
  ["a member of another wire", { max_tokens: 5 }, "max_tokens"],
  ["an unknown option", { options: { num_context: 5 } }, "num_context"],
  ["a broken num_ctx", { options: { num_ctx: "8k" } }, "num_ctx"],
  ["content that is a list", { messages: [user([{ type: "text", text: "a" }])] }, "must be a string"],
  [
    "an image as data URL",
    { messages: [{ ...user("a"), images: ["data:image/png;base64,AAAA"] }] },
    "without a data: prefix",
  ],
  [
    "a tool message without a name",
    { messages: [user("a"), calls("read"), { role: "tool", content: "r" }] },
    "tool_name",
  ],
  [
    "arguments as text",
    {
      messages: [
        user("a"),
        { role: "assistant", content: "", tool_calls: [{ function: { name: "read", arguments: "{}" } }] },
        answer("read"),
      ],
    },
    "must be an object",
  ],
  ["a call without an answer", { messages: [user("a"), calls("read"), user("b")] }, "without a tool message"],
  ["an answer to nothing", { messages: [user("a"), answer("read")] }, "none was due"],
  [
    "answers in another order",
    { messages: [user("a"), calls("read", "ls"), answer("ls"), answer("read")] },
    'one of \\"read\\" was due',
  ],
  [
    "an empty assistant message",
    { messages: [user("a"), { role: "assistant", content: "" }, user("b")] },
    "needs content",
  ],
  ["an unknown level of thinking", { think: "huge" }, "think"],
];
for (const [title, more, said] of refused)
  test(`${title} is refused`, async () => {
    await using server = await modelServer();
    expect(await refusal(server, "ollama", fineBody("ollama", more))).toContain(said);
  });

test("calls with their answers are taken, and num_ctx can be read", async () => {
  await using server = await modelServer();
  server.reply(say("done"));
  const more = {
    messages: [user("a"), calls("read", "ls"), answer("read"), answer("ls")],
    options: { num_ctx: 8192 },
  };
  expect((await post(server, "ollama", fineBody("ollama", more))).status).toBe(200);
  expect(server.request(1).field("options", "num_ctx")).toBe(8192);
  expect(server.request(1).results.map((result) => result.name)).toEqual(["read", "ls"]);
});
