import { expect, test } from "bun:test";
import type { AssistantMessage, ImagePart, Message } from "../../contract/messages.ts";
import { noUsage } from "../../contract/messages.ts";
import type { ModelRequest } from "../../contract/model.ts";
import { modelOf, requestOf, user } from "../shared/test-support/wire-run.ts";
import { encodeRequest } from "./encode.ts";

const model = modelOf("anthropic", { id: "claude-sonnet-4-6" });
const source = { provider: "test", wire: "anthropic", model: model.id } as const;
const encode = (more: Partial<ModelRequest> = {}) => encodeRequest(requestOf(model, more), source).body;

function assistant(
  parts: AssistantMessage["parts"],
  from: AssistantMessage["source"] = source,
): AssistantMessage {
  return { role: "assistant", parts, source: from, stop: "tool", usage: noUsage() };
}
const calling = (...ids: string[]) =>
  assistant(ids.map((id) => ({ type: "tool_call", id, name: "bash", arguments: { command: id } })));
const answered = (ids: string[], more: object = {}): Message => ({
  role: "tool",
  parts: ids.map((id) => ({
    type: "tool_result",
    id,
    name: "bash",
    content: [{ type: "text", text: `out ${id}` }],
    isError: false,
    ...more,
  })),
});
const image = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" } as const;

test("results and what the user adds become one message, results first", () => {
  const { messages } = encode({
    messages: [user("go"), calling("a", "b"), answered(["a", "b"]), user("and hurry")],
  });
  expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "user"]);
  expect(messages[2]?.content).toMatchObject([
    { type: "tool_result", tool_use_id: "a" },
    { type: "tool_result", tool_use_id: "b" },
    { type: "text", text: "and hurry" },
  ]);
});

/** A PNG of so many pixels, as far as its header says. */
function png(width: number, height: number): ImagePart {
  const header = Buffer.alloc(24);
  header.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return { type: "image", mimeType: "image/png", data: header.toString("base64") };
}
const seeing = (...parts: ImagePart[]): Message => ({ role: "user", parts, origin: "user" });
const blocksOf = (messages: readonly Message[]) =>
  encode({ messages }).messages.flatMap(({ content }) => content as { type: string; text?: string }[]);

test("twenty images go as they are; with one more, those with a long side give way to words, here and in results", () => {
  const screens = Array.from({ length: 19 }, () => png(2_560, 1_440));
  const last = answered(["a"], { content: [png(1_900, 1_000)] });
  const few = [seeing(...screens), calling("a"), last];
  expect(blocksOf(few).filter(({ type }) => type === "image")).toHaveLength(19);
  const many = blocksOf([...few, seeing(png(10, 10))]);
  expect(many.filter(({ type }) => type === "image")).toHaveLength(1);
  expect(many[0]?.text).toContain("this one has 2560 x 1440");
  expect(JSON.stringify(many)).toContain(png(1_900, 1_000).data);
});

test("of more images than a request may hold the oldest give way, many at once, so that the history stays the same for long", () => {
  const shown = (count: number) =>
    blocksOf([seeing(...Array.from({ length: count }, () => png(8, 8)))]).map(({ type }) => type);
  expect(shown(100).filter((type) => type === "image")).toHaveLength(100);
  expect(shown(101).indexOf("image")).toBe(20);
  expect(shown(120).indexOf("image")).toBe(20);
  expect(shown(121).indexOf("image")).toBe(40);
});

test("images of a failed result follow all results, since a failed one may hold text only", () => {
  const failed = answered(["a", "b"], { isError: true, content: [{ type: "text", text: "no" }, image] });
  const content = encode({ messages: [user("go"), calling("a", "b"), failed] }).messages.at(-1)?.content;
  expect(content).toMatchObject([
    { type: "tool_result", is_error: true, content: [{ type: "text", text: "no" }] },
    { type: "tool_result", is_error: true, content: [{ type: "text", text: "no" }] },
    { type: "image" },
    { type: "image" },
  ]);
});

test("images of a good result stay inside of it", () => {
  const good = answered(["a"], { content: [image] });
  const content = encode({ messages: [user("go"), calling("a"), good] }).messages.at(-1)?.content;
  expect(content).toMatchObject([
    { type: "tool_result", content: [{ type: "image", source: { data: image.data } }] },
  ]);
});

test("thinking goes back unchanged and in order to its own model [P07]", () => {
  const parts: AssistantMessage["parts"] = [
    { type: "thinking", text: "hm", signature: "sig==" },
    { type: "thinking", text: "", opaque: { redacted: "data==" } },
    { type: "tool_call", id: "a", name: "bash", arguments: {} },
  ];
  const { messages } = encode({ messages: [user("go"), assistant(parts), answered(["a"])] });
  expect(messages[1]?.content).toEqual([
    { type: "thinking", thinking: "hm", signature: "sig==" },
    { type: "redacted_thinking", data: "data==" },
    { type: "tool_use", id: "a", name: "bash", input: {} },
  ]);
});

test.each([
  { ...source, provider: "other" },
  { ...source, model: "claude-opus-4-7" },
  { ...source, wire: "gemini" as const },
])("thinking and opaque data of another source are never sent: %j [P07]", (from) => {
  const parts: AssistantMessage["parts"] = [
    { type: "thinking", text: "secret", signature: "sig" },
    { type: "thinking", text: "", opaque: { redacted: "data" } },
    { type: "text", text: "answer" },
  ];
  const { messages } = encode({ messages: [user("go"), assistant(parts, from), user("on")] });
  expect(messages[1]?.content).toEqual([{ type: "text", text: "answer" }]);
});

test("thinking without a signature is never sent [P07]", () => {
  const parts: AssistantMessage["parts"] = [
    { type: "thinking", text: "half" },
    { type: "text", text: "x" },
  ];
  const { messages } = encode({ messages: [user("go"), assistant(parts), user("on")] });
  expect(messages[1]?.content).toEqual([{ type: "text", text: "x" }]);
});

test("blank text is left out, and a message of nothing else with it", () => {
  const { messages } = encode({
    messages: [user("go"), assistant([{ type: "text", text: " \n" }]), user("on")],
  });
  expect(messages).toHaveLength(1);
  expect(messages[0]?.content).toMatchObject([{ text: "go" }, { text: "on" }]);
});

test("lone surrogates never leave, in text, arguments, results and schemas [F19]", () => {
  const half = "a\ud83d";
  const body = encode({
    system: half,
    tools: [{ name: "t", description: half, parameters: { type: "object", description: half } }],
    messages: [
      user(half),
      assistant([
        { type: "text", text: half },
        { type: "tool_call", id: "a", name: "t", arguments: { [half]: [half] } },
      ]),
      answered(["a"], { content: [{ type: "text", text: half }] }),
    ],
  });
  expect(JSON.stringify(body)).not.toContain("\\ud83d");
});

test("cache marks stand after the system text and at the end of the history, never more than four [P17]", () => {
  const messages: Message[] = [user("go")];
  for (let turn = 0; turn < 10; turn += 1) messages.push(calling(`a${turn}`), answered([`a${turn}`]));
  const body = encode({ messages });
  expect(body.system).toMatchObject([{ cache_control: { type: "ephemeral" } }]);
  expect(body.messages.at(-1)?.content).toMatchObject([{ cache_control: { type: "ephemeral" } }]);
  expect(JSON.stringify(body).split("cache_control").length - 1).toBe(2);
});

test("after a step of many results the place where the last request ended is marked too [P17]", () => {
  const ids = Array.from({ length: 12 }, (_, index) => `a${index}`);
  const body = encode({ messages: [user("go"), calling(...ids), answered(ids)] });
  expect(body.messages[0]?.content).toMatchObject([{ cache_control: { type: "ephemeral" } }]);
  expect(JSON.stringify(body).split("cache_control").length - 1).toBe(3);
});

test("the bytes of a request are the beginning of the next one, up to its last block [P17]", () => {
  const first: Message[] = [user("go"), calling("a"), answered(["a"])];
  const before = JSON.stringify(encode({ messages: first }));
  const after = JSON.stringify(encode({ messages: [...first, calling("b"), answered(["b"])] }));
  const lastBlock = before.indexOf('{"type":"tool_result"');
  expect(after.slice(0, lastBlock)).toBe(before.slice(0, lastBlock));
});

test("the output limit is clamped to the model's", () => {
  expect(encode({ maxOutput: 1_000_000 }).max_tokens).toBe(8_000);
  expect(encode({ maxOutput: 100 }).max_tokens).toBe(100);
  expect(encode().max_tokens).toBe(8_000);
});

test("alternatives at the root of a schema, which the service refuses, are left out", () => {
  const parameters = { type: "object", properties: { a: { type: "string" } }, anyOf: [{ required: ["a"] }] };
  const { tools } = encode({ tools: [{ name: "t", description: "", parameters }] });
  expect(tools?.[0]).toMatchObject({
    input_schema: { type: "object", properties: { a: { type: "string" } } },
  });
  expect(JSON.stringify(tools)).not.toContain("anyOf");
});
