import { expect, test } from "bun:test";
import { TINY_PNG } from "@pi-ts/testkit";
import {
  type AssistantMessage,
  type AssistantPart,
  type Message,
  noUsage,
  type ToolMessage,
  type ToolResultPart,
} from "../../contract/messages.ts";
import { user } from "../test-support/bench.ts";
import { CONTINUE_NOTE, RepairedHistory, type RepairRules } from "./history.ts";

const source = { provider: "p", wire: "anthropic", model: "m" } as const;
const rules: RepairRules = {
  callId: /^[a-zA-Z0-9_-]{1,40}$/,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  imagesInResults: true,
  source,
  images: true,
  modelName: "Model M",
};

const answer = (parts: AssistantPart[], more: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: "assistant",
  parts,
  source,
  stop: "end",
  usage: noUsage(),
  ...more,
});
const say = (text: string) => ({ type: "text", text }) as const;
const callOf = (id: string, name = "read") => ({ type: "tool_call", id, name, arguments: {} }) as const;
const resultOf = (id: string, text = `result of ${id}`): ToolResultPart => ({
  type: "tool_result",
  id,
  name: "read",
  content: [{ type: "text", text }],
  isError: false,
});
const results = (...parts: ToolResultPart[]): ToolMessage => ({ role: "tool", parts });
const repair = (messages: Message[], more: Partial<RepairRules> = {}) =>
  new RepairedHistory({ ...rules, ...more }).messages(messages);
const resultsIn = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === "tool" ? message.parts : []));
const textsOf = (messages: readonly Message[]) =>
  resultsIn(messages).map((part) => [part.id, (part.content[0] as { text: string }).text]);

/** What every service demands of a history. */
function problems(messages: readonly Message[], given: RepairRules = rules): string[] {
  const found: string[] = [];
  const ids = new Set<string>();
  if (messages[0] && messages[0].role !== "user") found.push("does not begin with the user");
  if (messages.at(-1)?.role === "assistant") found.push("ends with the assistant");
  for (const [i, message] of messages.entries()) {
    if (message.parts.length === 0) found.push(`message ${i} is empty`);
    if (!JSON.stringify(message).isWellFormed() || /\\ud[89a-f]/.test(JSON.stringify(message)))
      found.push(`message ${i} is ill-formed`);
    const before = messages[i - 1];
    if (message.role === "assistant") {
      if (before?.role === "assistant") found.push(`two answers at ${i}`);
      const calls = message.parts.flatMap((part) => (part.type === "tool_call" ? [part.id] : []));
      for (const id of calls) {
        if (ids.has(id)) found.push(`id ${id} twice`);
        if (!given.callId.test(id)) found.push(`id ${id} does not fit`);
        ids.add(id);
      }
      const next = messages[i + 1];
      const answered = next?.role === "tool" ? next.parts.map((part) => part.id) : [];
      if (JSON.stringify(answered) !== JSON.stringify(calls))
        found.push(`calls ${calls} are answered by ${answered}`);
    }
    if (message.role === "tool" && before?.role !== "assistant") found.push(`orphan results at ${i}`);
  }
  return found;
}

test("a call without a result is answered with: interrupted, result unknown [C01]", () => {
  const repaired = repair([
    user("a"),
    answer([callOf("c1"), callOf("c2")]),
    results(resultOf("c2")),
    user("b"),
  ]);
  expect(problems(repaired)).toEqual([]);
  expect(resultsIn(repaired)).toMatchObject([
    { id: "c1", isError: true },
    { id: "c2", isError: false },
  ]);
  expect(textsOf(repaired)[0]![1]).toContain("Interrupted");
});

test("results stand in call order in one message directly after their call, however they were stored [P09][C01]", () => {
  const repaired = repair([
    user("a"),
    answer([callOf("c1"), callOf("c2"), callOf("c3")]),
    results(resultOf("c3")),
    results(resultOf("c1")),
    user("b"),
    results(resultOf("c2")),
  ]);
  expect(problems(repaired)).toEqual([]);
  expect(repaired.map((message) => message.role)).toEqual(["user", "assistant", "tool", "user"]);
  expect(textsOf(repaired)).toEqual([
    ["c1", "result of c1"],
    ["c2", "result of c2"],
    ["c3", "result of c3"],
  ]);
});

test("results of no call and second results of one call are left out [C01]", () => {
  const repaired = repair([
    user("a"),
    results(resultOf("ghost")),
    answer([callOf("c1")]),
    results(resultOf("c1"), resultOf("c1", "twice"), resultOf("other")),
    user("b"),
  ]);
  expect(textsOf(repaired)).toEqual([["c1", "result of c1"]]);
});

test("a history cut after any record is valid [C01]", () => {
  const whole: Message[] = [
    user("a"),
    answer([say("x"), callOf("c1"), callOf("c2"), callOf("c3")]),
    results(resultOf("c2")),
    results(resultOf("c1")),
    results(resultOf("c3")),
    answer([callOf("c4")]),
    results(resultOf("c4")),
    answer([say("done")]),
    user("b"),
    answer([say("half")], { partial: true }),
  ];
  for (let length = 0; length <= whole.length; length++)
    expect(problems(repair([...whole.slice(0, length), user("next")]))).toEqual([]);
});

test("a history with any records missing is valid [C01]", () => {
  const whole: Message[] = [
    user("a"),
    answer([callOf("c1"), callOf("c1")]),
    results(resultOf("c1")),
    results(resultOf("c1")),
    answer([]),
    answer([say(" ")]),
    answer([callOf("c1"), say("after")], { partial: true }),
    results(resultOf("c1")),
    answer([say("done")]),
  ];
  for (let mask = 0; mask < 2 ** whole.length; mask++)
    expect(problems(repair(whole.filter((_, i) => mask & (1 << i))))).toEqual([]);
});

test("the stored messages are never changed", () => {
  const stored: Message[] = [
    user("a \ud83d"),
    answer([{ ...callOf("bad id!"), arguments: { x: "\ud83d" } }]),
    user(" "),
  ];
  const before = JSON.stringify(stored);
  repair(stored, { images: false });
  expect(JSON.stringify(stored)).toBe(before);
});

test("thinking and provider items go back byte for byte to the model that made them, and the very same objects [P07]", () => {
  const parts: AssistantPart[] = [
    { type: "thinking", text: "", signature: "sig+/=" },
    { type: "thinking", text: "redacted", opaque: { data: "abc" } },
    { type: "text", text: "", opaque: { thoughtSignature: "x" } },
    { ...callOf("c1"), opaque: { id: "fc_1" } },
  ];
  const repaired = repair([user("a"), answer(parts), results(resultOf("c1"))]);
  expect(repaired[1]!.parts).toEqual(parts);
  expect(repaired[1]!.parts[0]).toBe(parts[0]!);
});

test.each([
  ["provider", { ...source, provider: "q" }],
  ["wire", { ...source, wire: "openai-chat" as const }],
  ["model", { ...source, model: "n" }],
])("thinking and provider items of another %s are dropped, text and calls stay [P07]", (_what, other) => {
  const repaired = repair([
    user("a"),
    answer(
      [
        { type: "thinking", text: "t", signature: "s" },
        { type: "text", text: "hello", opaque: { id: "msg_1" } },
        { type: "text", text: "", opaque: { sig: 1 } },
        { ...callOf("c1"), opaque: { id: "fc_1" } },
      ],
      { source: other },
    ),
    results(resultOf("c1")),
  ]);
  expect(repaired[1]!.parts).toEqual([{ type: "text", text: "hello" }, callOf("c1")]);
  expect(problems(repaired)).toEqual([]);
});

test("of an unfinished answer only its text goes back [P07][P14]", () => {
  const repaired = repair([
    user("a"),
    answer(
      [
        { type: "thinking", text: "t", signature: "s" },
        { type: "thinking", text: "unfinished" },
        { type: "text", text: "half", opaque: { id: "msg_1" } },
        callOf("c1"),
      ],
      { partial: true, stop: "aborted" },
    ),
    user("continue"),
  ]);
  expect(repaired[1]!.parts).toEqual([{ type: "text", text: "half" }]);
  expect(problems(repaired)).toEqual([]);
});

test("a call of an unfinished answer that did run keeps its result", () => {
  const repaired = repair([
    user("a"),
    answer([callOf("c1"), callOf("c2")], { partial: true }),
    results(resultOf("c2")),
    user("b"),
  ]);
  expect(textsOf(repaired)).toEqual([["c2", "result of c2"]]);
  expect(problems(repaired)).toEqual([]);
});

test("an answer of nothing but thinking is left out", () => {
  expect(
    repair([user("a"), answer([{ type: "thinking", text: "t", signature: "s" }]), user("b")]),
  ).toHaveLength(2);
});

test("a history that ends with an answer gets a request to go on, and sends it again later [P14][P17]", () => {
  const history = new RepairedHistory(rules);
  const stored: Message[] = [user("a"), answer([say("half")], { partial: true })];
  const first = JSON.stringify(history.messages(stored));
  expect(first).toContain(JSON.stringify(CONTINUE_NOTE));
  stored.push(answer([say("rest")]), user("b"));
  expect(JSON.stringify(history.messages(stored))).toStartWith(first.slice(0, -1));
});

test("a history that begins with an answer is opened by a user message", () => {
  expect(problems(repair([answer([say("hello")]), user("b")]))).toEqual([]);
});

test("ids that do not fit or come twice are replaced, the same way every time and for call and result alike [P09]", () => {
  const long = "x".repeat(200);
  const stored: Message[] = [
    user("a"),
    answer([callOf(long), callOf("a|b"), callOf("c1"), callOf("")]),
    results(resultOf(""), resultOf("c1"), resultOf("a|b"), resultOf(long)),
    answer([callOf("c1"), callOf("a|b")]),
    results(resultOf("a|b", "second a|b"), resultOf("c1", "second c1")),
    user("b"),
  ];
  const repaired = repair(stored);
  expect(problems(repaired)).toEqual([]);
  expect(textsOf(repaired).map(([, text]) => text)).toEqual([
    `result of ${long}`,
    "result of a|b",
    "result of c1",
    "result of ",
    "second c1",
    "second a|b",
  ]);
  expect(repair(stored)).toEqual(repaired);
});

test("ids of exactly nine characters can be had (Mistral) [P09]", () => {
  const strict = { ...rules, callId: /^[a-zA-Z0-9]{9}$/ };
  const calls = Array.from({ length: 500 }, (_, i) => callOf(`call_${i}`));
  const repaired = repair([user("a"), answer(calls), user("b")], strict);
  expect(problems(repaired, strict)).toEqual([]);
});

test("names of tools are brought into the form of the service, in call and result", () => {
  const repaired = repair([
    user("a"),
    answer([callOf("c1", "read file!"), callOf("c2", ""), callOf("c3", "n".repeat(100))]),
    results(resultOf("c1"), resultOf("c2"), resultOf("c3")),
  ]);
  const names = repaired.flatMap((message) =>
    message.parts.flatMap((part) =>
      part.type === "tool_call" || part.type === "tool_result" ? [part.name] : [],
    ),
  );
  expect(names).toEqual([
    "read_file_",
    "unknown_tool",
    "n".repeat(64),
    "read_file_",
    "unknown_tool",
    "n".repeat(64),
  ]);
});

test("blank texts are left out, and what would be empty is filled [C01]", () => {
  const repaired = repair([
    user("  "),
    answer([say(""), callOf("c1"), say("\n")]),
    results(resultOf("c1", "")),
    { role: "user", parts: [], origin: "user" },
  ]);
  expect(repaired).toMatchObject([
    { parts: [{ text: "(no text)" }] },
    { parts: [{ id: "c1" }] },
    { parts: [{ content: [{ text: "(no output)" }] }] },
    { parts: [{ text: "(no text)" }] },
  ]);
});

test("a model without eyes gets a note for each image, in prompts and in results", () => {
  const image = { type: "image", mimeType: "image/png", data: TINY_PNG } as const;
  const stored: Message[] = [
    { role: "user", parts: [say("see"), image], origin: "user" },
    answer([callOf("c1")]),
    results({ ...resultOf("c1"), content: [image] }),
  ];
  const sent = JSON.stringify(repair(stored, { images: false }));
  expect(sent).not.toContain(TINY_PNG);
  expect(sent.split("[image (image/png) left out: Model M takes no images]")).toHaveLength(3);
  expect(JSON.stringify(repair(stored))).toContain(TINY_PNG);
});

test("an image that no service takes is left out with its reason, and one under a wrong name is sent under its right one", () => {
  const image = (mimeType: string, data: string) => ({ type: "image", mimeType, data }) as const;
  const stored: Message[] = [
    { role: "user", parts: [say("see"), image("image/tiff", "SUkqAA==")], origin: "user" },
    answer([callOf("c1")]),
    results({ ...resultOf("c1"), content: [image("image/jpeg", TINY_PNG)] }),
  ];
  const [asked, , answered] = repair(stored);
  expect(asked).toMatchObject({
    parts: [say("see"), say("[image left out: it is no PNG, JPEG, GIF or WebP]")],
  });
  expect(answered).toMatchObject({ parts: [{ content: [image("image/png", TINY_PNG)] }] });
});

test("every string of an old file is made well-formed, in arguments and provider items too [F19]", () => {
  const stored: Message[] = [
    user("cut \ud83d"),
    answer([
      { type: "thinking", text: "t\udc00", signature: "s", opaque: { deep: ["\ud83d"] } },
      say("half \ud83d"),
      { ...callOf("c1"), arguments: { "k\ud83d": [{ a: "\ude00" }] } },
    ]),
    results(resultOf("c1", "\ud83d")),
  ];
  expect(problems(repair(stored))).toEqual([]);
});

test("a longer history begins with the same messages, object for object [P17]", () => {
  const history = new RepairedHistory(rules);
  const stored: Message[] = [user("a"), answer([callOf("odd id"), callOf("c2")]), results(resultOf("c2"))];
  stored.push(results(resultOf("odd id")));
  const first = history.messages(stored);
  stored.push(user("steer"));
  const second = history.messages(stored);
  stored.push(answer([callOf("c3")]), results(resultOf("c3")), user("b"));
  const third = history.messages(stored);
  expect(JSON.stringify(second)).toStartWith(JSON.stringify(first).slice(0, -1));
  expect(JSON.stringify(third)).toStartWith(JSON.stringify(second).slice(0, -1));
  expect(third.slice(0, second.length).every((message, i) => message === second[i])).toBe(true);
});

test("a history that was replaced (compaction, another branch) is read anew", () => {
  const history = new RepairedHistory(rules);
  const shared = user("shared");
  history.messages([shared, answer([callOf("c1")]), results(resultOf("c1")), user("old")]);
  const other = history.messages([
    shared,
    answer([callOf("c1")]),
    results(resultOf("c1", "other branch")),
    user("new"),
  ]);
  expect(textsOf(other)).toEqual([["c1", "other branch"]]);
  expect(other.at(-1)).toMatchObject({ parts: [{ text: "new" }] });
  expect(history.messages([shared])).toEqual([shared]);
});
