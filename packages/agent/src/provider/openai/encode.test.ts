import { expect, test } from "bun:test";
import type { AssistantMessage, Message } from "../../contract/messages.ts";
import { noUsage } from "../../contract/messages.ts";
import type { ModelRequest } from "../../contract/model.ts";
import { modelOf, requestOf, user } from "../shared/test-support/wire-run.ts";
import { encodeRequest } from "./encode.ts";

const model = modelOf("openai-responses", { id: "gpt-5.5" });
const source = { provider: "test", wire: "openai-responses", model: model.id } as const;
const encode = (more: Partial<ModelRequest> = {}) => encodeRequest(requestOf(model, more), source);
const items = (...messages: Message[]) => {
  const { input } = encode({ system: "", messages });
  if (!Array.isArray(input)) throw new Error("the input is no list");
  return input;
};

function assistant(parts: AssistantMessage["parts"], more: Partial<AssistantMessage> = {}): AssistantMessage {
  return { role: "assistant", parts, source, stop: "tool", usage: noUsage(), ...more };
}
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "enc==" };
const thinking = { type: "thinking", text: "", opaque: reasoning } as const;
const called = {
  type: "tool_call",
  id: "call_a",
  name: "bash",
  arguments: { command: "x" },
  opaque: { id: "fc_1" },
} as const;
const said = { type: "text", text: "so", opaque: { id: "msg_1", phase: "commentary" } } as const;

test("nothing is stored at the service, and the reasoning comes encrypted", () => {
  expect(encode({ cacheKey: "k".repeat(80), thinking: "high" })).toMatchObject({
    store: false,
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: "k".repeat(64),
    parallel_tool_calls: true,
    reasoning: { effort: "high", summary: "auto" },
  });
});

test("the system text is the first item and tools say that they are not strict [P17]", () => {
  const body = encode();
  expect(body.input?.[0]).toEqual({ type: "message", role: "developer", content: "Be brief." });
  expect(body.tools).toMatchObject([{ type: "function", name: "bash", strict: false }]);
  expect(body).not.toHaveProperty("instructions");
});

test("an answer goes back as the items it came in, to its own model [P07]", () => {
  expect(items(user("go"), assistant([thinking, said, thinking, called])).slice(1)).toEqual([
    reasoning,
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      phase: "commentary",
      content: [{ type: "output_text", text: "so", annotations: [] }],
    },
    reasoning,
    { type: "function_call", id: "fc_1", call_id: "call_a", name: "bash", arguments: '{"command":"x"}' },
  ] as never);
});

test.each([
  { source: { ...source, model: "gpt-5.4" } },
  { source: { ...source, provider: "other" } },
  { partial: true as const },
])("reasoning and item ids of another source, or of a cut answer, are never sent: %j [P07]", (more) => {
  expect(items(user("go"), assistant([thinking, said, called], more)).slice(1)).toEqual([
    { type: "message", role: "assistant", content: "so" },
    { type: "function_call", call_id: "call_a", name: "bash", arguments: '{"command":"x"}' },
  ]);
});

test("reasoning that led to nothing is left out, since the service refuses it alone [P07]", () => {
  expect(items(user("go"), assistant([said, thinking])).slice(1)).toMatchObject([{ type: "message" }]);
});

test("an item whose reasoning cannot be sent goes without its id [P07]", () => {
  const lost = { ...thinking, opaque: { ...reasoning, encrypted_content: null } };
  expect(items(user("go"), assistant([lost, called])).slice(1)).toEqual([
    { type: "function_call", call_id: "call_a", name: "bash", arguments: '{"command":"x"}' },
  ]);
});

test("arguments go back as the model wrote them, unless they were changed since [P17]", () => {
  const written = '{ "command": "x" }';
  const kept = { ...called, opaque: { arguments: written } };
  expect(items(assistant([kept]))).toMatchObject([{ arguments: written }]);
  expect(items(assistant([{ ...kept, arguments: { command: "y" } }]))).toMatchObject([
    { arguments: '{"command":"y"}' },
  ]);
});

test("results are texts, or lists where they hold images", () => {
  const image = { type: "image", mimeType: "image/png", data: "AAAA" } as const;
  const result = (content: (typeof image | { type: "text"; text: string })[]): Message => ({
    role: "tool",
    parts: [{ type: "tool_result", id: "call_a", name: "bash", content, isError: false }],
  });
  expect(
    items(
      result([
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ]),
    ),
  ).toMatchObject([{ output: "ab" }]);
  expect(items(result([{ type: "text", text: "a" }, image]))).toMatchObject([
    {
      output: [
        { type: "input_text", text: "a" },
        { type: "input_image", image_url: "data:image/png;base64,AAAA" },
      ],
    },
  ]);
});

test("lone surrogates never leave [F19]", () => {
  const half = "a\ud83d";
  const body = encode({
    system: half,
    messages: [
      user(half),
      assistant([
        { type: "text", text: half },
        { ...called, arguments: { [half]: half } },
      ]),
    ],
  });
  expect(JSON.stringify(body)).not.toContain("\\ud83d");
});

test("the bytes of a request are the beginning of the next one [P17]", () => {
  const first = [user("go"), assistant([thinking, called])];
  const before = JSON.stringify(encode({ messages: first }));
  const after = JSON.stringify(encode({ messages: [...first, user("more")] }));
  const end = before.lastIndexOf("]");
  expect(after.slice(0, end)).toBe(before.slice(0, end));
});

test("the effort is in the model's own words, and the nearest that it offers", () => {
  const effort = (levels: Record<string, string | null> | undefined, thinking: ModelRequest["thinking"]) =>
    encode({ thinking, model: { ...model, ...(levels && { levels }) } }).reasoning?.effort;
  expect(effort({ off: "none", low: "low" }, "off")).toBe("none");
  expect(effort({ off: null, minimal: "minimal" }, "off")).toBe("minimal");
  expect(effort({ xhigh: null, max: null }, "max")).toBe("high");
  expect(effort({ minimal: null, low: null, medium: null }, "low")).toBe("high");
  expect(effort(undefined, "xhigh")).toBe("high");
  expect(effort(undefined, "off")).toBeUndefined();
});

test("a model without reasoning is not asked for any", () => {
  const body = encode({ thinking: "high", model: { ...model, reasoning: false } });
  expect(body).not.toHaveProperty("reasoning");
  expect(body).not.toHaveProperty("include");
});

test("an output limit is sent only where one was asked for, within what the service takes", () => {
  expect(encode()).not.toHaveProperty("max_output_tokens");
  expect(encode({ maxOutput: 1 }).max_output_tokens).toBe(16);
  expect(encode({ maxOutput: 1_000_000 }).max_output_tokens).toBe(8_000);
});
