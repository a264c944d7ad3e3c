import { expect, test } from "bun:test";
import type { Message, ToolMessage, UserMessage } from "../../contract/messages.ts";
import { transcriptOf } from "./transcript.ts";

const user = (text: string, origin: UserMessage["origin"]): UserMessage => ({
  role: "user",
  origin,
  parts: [{ type: "text", text }],
});
const result = (name: string, text: string): ToolMessage => ({
  role: "tool",
  parts: [{ type: "tool_result", id: name, name, content: [{ type: "text", text }], isError: false }],
});

test("what was recalled, by itself or by a tool, reaches no summary, what was said does [C06][R03]", () => {
  const messages: Message[] = [
    user("recalled at the start: marabou", "memory"),
    user("which formatter do we use?", "user"),
    user("recalled for the prompt: hoatzin", "memory"),
    result("mem-search", "found: cassowary"),
    result("mem-timeline", "around: shoebill"),
    result("mem-get", "whole: lyrebird"),
    result("read", "a file of the project"),
  ];
  const text = transcriptOf(messages, 10_000, (part) => part.length);
  for (const word of ["marabou", "hoatzin", "cassowary", "shoebill", "lyrebird"])
    expect(text).not.toContain(word);
  expect(text).toContain("which formatter do we use?");
  expect(text).toContain("[result of mem-search: what was recalled is left out]");
  expect(text).toContain("a file of the project");
});
