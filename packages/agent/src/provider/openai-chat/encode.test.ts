import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../contract/json.ts";
import { type AssistantMessage, type AssistantPart, type Message, noUsage } from "../../contract/messages.ts";
import type { ModelRequest } from "../../contract/model.ts";
import { bash, modelOf, pixel, requestOf, results, user } from "../shared/test-support/wire-run.ts";
import { dialectOf } from "./dialect.ts";
import { encodeChat } from "./encode.ts";

const source = { provider: "test", wire: "openai-chat", model: "test-model" } as const;
const LOCAL = "http://127.0.0.1:8000/v1";

const encode = (request: ModelRequest, baseUrl = LOCAL): JsonObject =>
  encodeChat(request, source, dialectOf(baseUrl), new Set());

const answer = (parts: AssistantPart[], from: AssistantMessage["source"] = source): AssistantMessage => ({
  role: "assistant",
  parts,
  source: from,
  stop: "tool",
  usage: noUsage(),
});

const thought = (opaque: JsonObject, text = "hm"): AssistantPart => ({ type: "thinking", text, opaque });
const called: AssistantPart = { type: "tool_call", id: "call_1", name: "bash", arguments: { command: "ls" } };

/** The encoded assistant message of a conversation with one call. */
function echo(parts: AssistantPart[], baseUrl = LOCAL, from = source as AssistantMessage["source"]): unknown {
  const made = answer(parts, from);
  const messages: Message[] = [user("hello"), made, results(made, "x")];
  const body = encode(requestOf(modelOf("openai-chat"), { messages, thinking: "high" }), baseUrl);
  return (body["messages"] as unknown[])[2];
}

describe("endpoints", () => {
  test("OpenAI itself gets its own fields, others the plain ones [P17]", () => {
    const request = requestOf(modelOf("openai-chat"), { cacheKey: "session-1", thinking: "high" });
    expect(encode(request, "https://api.openai.com/v1")).toMatchObject({
      max_completion_tokens: 8_000,
      prompt_cache_key: "session-1",
      store: false,
      reasoning_effort: "high",
      stream_options: { include_usage: true, include_obfuscation: false },
      tools: [{ function: { name: "bash", strict: false } }],
    });
    const plain = encode(request);
    expect(plain).toMatchObject({ max_tokens: 8_000, stream_options: { include_usage: true } });
    for (const field of ["prompt_cache_key", "store", "max_completion_tokens"])
      expect(plain).not.toHaveProperty(field);
    expect(plain["tools"]).toEqual([{ type: "function", function: bash }]);
  });

  test.each([
    ["https://openrouter.ai/api/v1", "high", { reasoning: { effort: "high" } }],
    ["https://openrouter.ai/api/v1", "off", { reasoning: { enabled: false } }],
    ["https://api.deepseek.com", "low", { thinking: { type: "enabled" }, reasoning_effort: "low" }],
    ["https://api.z.ai/api/paas/v4", "off", { thinking: { type: "disabled" } }],
    [LOCAL, "max", { reasoning_effort: "high" }],
  ] as const)("%s is asked for thinking %s in its own way", (baseUrl, thinking, fields) => {
    expect(encode(requestOf(modelOf("openai-chat"), { thinking }), baseUrl)).toMatchObject(fields);
  });

  test("a model that does not reason is never asked for effort", () => {
    const body = encode(requestOf(modelOf("openai-chat", { reasoning: false }), { thinking: "high" }));
    for (const field of ["reasoning_effort", "reasoning", "thinking"]) expect(body).not.toHaveProperty(field);
  });

  test("a model of which nothing is known gets no output limit of a guess", () => {
    const body = encode(requestOf(modelOf("openai-chat", { known: false, maxOutput: 4_096 })));
    expect(body).not.toHaveProperty("max_tokens");
  });

  test("Claude behind a router gets cache marks on system and newest message only [P17]", () => {
    const request = requestOf(modelOf("openai-chat", { id: "anthropic/claude" }));
    const marked = (body: JsonObject) =>
      (body["messages"] as JsonObject[]).map((message) => JSON.stringify(message).includes("cache_control"));
    expect(marked(encode(request, "https://openrouter.ai/api/v1"))).toEqual([true, true]);
    expect(marked(encode(request))).toEqual([false, false]);
  });

  test("Mistral gets ids of nine letters and digits, the same for a call and its result [P09]", () => {
    const made = answer([called]);
    const messages: Message[] = [user("x"), made, results(made, "y")];
    const body = encode(requestOf(modelOf("openai-chat"), { messages }), "https://api.mistral.ai/v1");
    const [, , call, result] = body["messages"] as { tool_calls?: { id: string }[]; tool_call_id?: string }[];
    expect(result?.tool_call_id).toMatch(/^[a-z0-9]{9}$/);
    expect(call?.tool_calls?.[0]?.id).toBe(result?.tool_call_id as string);
  });
});

describe("messages", () => {
  test("neighbouring user messages become one, and images of results follow in a user message", () => {
    const made = answer([called]);
    const done = results(made, "seen");
    if (done.role === "tool") done.parts[0]?.content.push({ ...pixel });
    const body = encode(
      requestOf(modelOf("openai-chat"), { messages: [user("a"), user("b"), made, done, user("c")] }),
    );
    expect(body["messages"]).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "a\n\nb" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "seen" },
      {
        role: "user",
        content: [
          { type: "text", text: "Images of the result of bash (call_1):" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${pixel.data}` } },
          { type: "text", text: "c" },
        ],
      },
    ]);
  });

  test("a model that reads no images gets a line instead", () => {
    const messages: Message[] = [
      { role: "user", origin: "user", parts: [{ type: "text", text: "a" }, { ...pixel }] },
    ];
    const body = encode(requestOf(modelOf("openai-chat", { images: false }), { messages }));
    expect(JSON.stringify(body["messages"])).toContain("An image was left out");
  });

  test("an answer of thinking alone is left out", () => {
    const body = encode(
      requestOf(modelOf("openai-chat"), { messages: [user("a"), answer([thought({})]), user("b")] }),
    );
    expect(body["messages"]).toHaveLength(2);
  });

  test("the messages of a request begin with those of the request before [P17]", () => {
    const made = answer([called]);
    const messages: Message[] = [user("a"), made, results(made, "x")];
    const first = JSON.stringify(encode(requestOf(modelOf("openai-chat"), { messages }))["messages"]);
    const more = [...messages, answer([{ type: "text", text: "done" }]), user("next")];
    const second = JSON.stringify(encode(requestOf(modelOf("openai-chat"), { messages: more }))["messages"]);
    expect(second.startsWith(first.slice(0, -1))).toBe(true);
  });
});

describe("reasoning on its way back [P07]", () => {
  test("reasoning_content goes back with calls to the model that sent it", () => {
    expect(echo([thought({ kind: "reasoning_content" }), called])).toMatchObject({ reasoning_content: "hm" });
  });

  test("a plain reasoning field never goes back", () => {
    const sent = echo([thought({ kind: "reasoning" }), called]) as object;
    expect(JSON.stringify(sent)).not.toContain("hm");
  });

  test("reasoning_details go back as they came", () => {
    const details = [{ type: "reasoning.encrypted", data: "abc", index: 0 }];
    expect(echo([thought({ kind: "details", details }), called])).toMatchObject({
      reasoning_details: details,
    });
  });

  test("thinking inside of the content goes back there", () => {
    expect(echo([thought({ kind: "content" }), { type: "text", text: "hi" }, called])).toMatchObject({
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
        { type: "text", text: "hi" },
      ],
    });
  });

  test("what belongs to a call itself (a Gemini signature) goes back with it", () => {
    const extra = { google: { thought_signature: "S==" } };
    expect(echo([{ ...called, opaque: extra }])).toMatchObject({ tool_calls: [{ extra_content: extra }] });
  });

  test("nothing of it goes to another model", () => {
    const other = { provider: "other", wire: "openai-chat", model: "test-model" } as const;
    const details = [{ type: "reasoning.encrypted", data: "abc" }];
    for (const opaque of [
      { kind: "reasoning_content" },
      { kind: "details", details },
      { kind: "content" },
    ] as JsonObject[])
      expect(
        JSON.stringify(echo([thought(opaque), { ...called, opaque: { x: "abc" } }], LOCAL, other)),
      ).not.toMatch(/hm|abc/);
  });

  test("a service that insists on reasoning before calls gets an empty one where there was none", () => {
    expect(echo([called], "https://api.deepseek.com")).toMatchObject({ reasoning_content: "" });
    expect(echo([called])).not.toHaveProperty("reasoning_content");
  });
});
