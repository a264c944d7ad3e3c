import { expect, test } from "bun:test";
import { call, say, think } from "../blocks.ts";
import { type ModelServer, modelServer } from "../server.ts";
import { events, fineBody, post, refusal } from "../test-support/requests.ts";
import type { Fields } from "../wire.ts";

const user = (text: string): Fields => ({
  type: "message",
  role: "user",
  content: [{ type: "input_text", text }],
});
const made = (call_id: string, more: Fields = {}): Fields => ({
  type: "function_call",
  call_id,
  name: "read",
  arguments: "{}",
  ...more,
});
const output = (call_id: string): Fields => ({ type: "function_call_output", call_id, output: "r" });

const refused: [title: string, more: Fields, said: string][] = [
  ["a stored response", { store: true }, "store"],
  ["store left out", { store: undefined }, "store"],
  ["a call without output", { input: [user("a"), made("c1")] }, "No tool output found"],
  ["an output without a call", { input: [user("a"), output("c1")] }, "No tool call found"],
  ["an output before its call", { input: [user("a"), output("c1"), made("c1")] }, "No tool call found"],
  ["a doubled output", { input: [user("a"), made("c1"), output("c1"), output("c1")] }, "two outputs"],
  [
    "broken arguments",
    { input: [user("a"), made("c1", { arguments: "{" }), output("c1")] },
    "not valid JSON",
  ],
  [
    "an item id of another kind",
    { input: [user("a"), made("c1", { id: "call_9" }), output("c1")] },
    "must begin with 'fc_'",
  ],
  [
    "input_text from the assistant",
    { input: [{ role: "assistant", content: [{ type: "input_text", text: "x" }] }, user("a")] },
    "not supported here",
  ],
  [
    "reasoning that was never given",
    { input: [user("a"), { type: "reasoning", id: "rs_x", summary: [] }, made("c1"), output("c1")] },
    "not found",
  ],
  ["a limit below 16", { max_output_tokens: 5 }, "minimum of 16"],
  ["a cache key of 65 characters", { prompt_cache_key: "k".repeat(65) }, "prompt_cache_key"],
];
for (const [title, more, said] of refused)
  test(`${title} is refused`, async () => {
    await using server = await modelServer();
    expect(await refusal(server, "openai-responses", fineBody("openai-responses", more))).toContain(said);
  });

/** One answer of reasoning and a call, as items. */
async function turn(server: ModelServer): Promise<[reasoning: Fields, called: Fields]> {
  server.reply(think("hmm"), call("read", {}, { id: "c1" }));
  const sent = events(await (await post(server, "openai-responses", fineBody("openai-responses"))).text());
  const items = sent
    .filter((event) => event["type"] === "response.output_item.done")
    .map((event) => event["item"] as Fields);
  return [items[0]!, items[1]!];
}
const followUp = (...items: Fields[]): Fields =>
  fineBody("openai-responses", { input: [user("hi"), ...items, output("c1")] });

test("items that come back verbatim are taken", async () => {
  await using server = await modelServer();
  const items = await turn(server);
  server.reply(say("done"));
  expect((await post(server, "openai-responses", followUp(...items))).status).toBe(200);
});

const spoiled: [title: string, spoil: (reasoning: Fields, called: Fields) => Fields[], said: string][] = [
  ["changed encrypted reasoning", (r, c) => [{ ...r, encrypted_content: "x" }, c], "could not be verified"],
  ["a changed summary", (r, c) => [{ ...r, summary: [] }, c], "summary"],
  ["a call with its id but without its reasoning", (_r, c) => [c], "without its required 'reasoning' item"],
  ["reasoning without what it led to", (r, c) => [c, r], "required following item"],
];
for (const [title, spoil, said] of spoiled)
  test(`${title} is refused`, async () => {
    await using server = await modelServer();
    const [reasoning, called] = await turn(server);
    const answered = await refusal(server, "openai-responses", followUp(...spoil(reasoning, called)));
    expect(answered + server.problems.join()).toContain(said);
  });

test("reasoning of another model is refused, and its call without ids is taken", async () => {
  await using server = await modelServer();
  const [reasoning, called] = await turn(server);
  const other = { ...followUp(reasoning, called), model: "other" };
  expect(await refusal(server, "openai-responses", other)).toContain("cannot read it");
  server.reply(say("done"));
  const plain = { ...followUp({ ...called, id: undefined }), model: "other" };
  expect((await post(server, "openai-responses", plain)).status).toBe(200);
});
