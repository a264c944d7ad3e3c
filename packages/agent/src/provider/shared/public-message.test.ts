import { expect, test } from "bun:test";
import { publicMessage, secretsOf } from "./public-message.ts";

test("the key and the headers that carry one are secrets, other headers are not", () => {
  const headers = { Authorization: "Bearer abc-def", "X-Team": "blue-team", "api-key": "zzz-yyy" };
  expect(secretsOf({ apiKey: "key-one", headers })).toEqual([
    "key-one",
    "Bearer abc-def",
    "abc-def",
    "zzz-yyy",
    "zzz-yyy",
  ]);
});

test.each([
  ["Incorrect API key provided: sk-proj-abcdefgh1234.", "Incorrect API key provided: [redacted]."],
  ["GET https://h/v1?key=abc123&x=1", "GET https://h/v1?key=[redacted]&x=1"],
  ["Authorization: Bearer abcdefghij", "Authorization: Bearer [redacted]"],
  ["no such key: my-own-key", "no such key: [redacted]"],
])("%j is shown without its secret", (text, expected) => {
  expect(publicMessage(text, ["my-own-key"])).toBe(expected);
});

test("a cut never leaves half a character [F19]", () => {
  const message = publicMessage(`${"x".repeat(1_998)}🎉🎉`, []);
  expect(message.length).toBeLessThanOrEqual(2_000);
  expect(message.isWellFormed()).toBe(true);
});
