import { expect, test } from "bun:test";
import { messageText } from "./record-text.ts";

const text = (origin: string) =>
  messageText({ role: "user", origin, parts: [{ type: "text", text: "marabou" }] });

test("what was recalled is found in no session as if it had been said there [R03]", () => {
  expect(text("user")).toBe("marabou");
  expect(text("memory")).toBe("");
  const content = [{ type: "text", text: "marabou" }];
  const result = (name: string) =>
    messageText({ role: "tool", parts: [{ type: "tool_result", id: "1", name, content, isError: false }] });
  expect(result("grep")).toBe("marabou");
  expect(result("mem-search")).toBe("");
});
