import { expect, test } from "bun:test";
import { endpoint } from "./endpoint.ts";

test.each([
  ["https://h/v1", "/chat", "https://h/v1/chat"],
  [" https://h/v1/// ", "/chat", "https://h/v1/chat"],
  ["https://h/v1?api-version=3", "/chat", "https://h/v1/chat?api-version=3"],
  ["https://h/v1/?a=1#x", "/chat?alt=sse", "https://h/v1/chat?alt=sse&a=1"],
  ["https://h/#x", "/chat", "https://h/chat"],
])("below %s the path %s is %s [U03]", (base, path, address) => {
  expect(endpoint(base, path)).toBe(address);
});

test("a version that people gave is not there twice", () => {
  expect(endpoint("https://h/x/v1/?a=1", "/v1/messages", /\/v1$/)).toBe("https://h/x/v1/messages?a=1");
});
