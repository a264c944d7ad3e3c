import { expect, test } from "bun:test";
import { publicMessage, secretsOf } from "./redact.ts";

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
  ["Incorrect API key provided: sk-proj-abcdefgh1234.", "Incorrect API key provided: [secret]."],
  ["key AIzaSyA1234567890abcdefghijkl is bad", "key [secret] is bad"],
  ["GET https://h/v1?key=abc123&x=1", "GET https://h/v1?key=[secret]&x=1"],
  ["Authorization: Bearer abcdefghij", "Authorization: Bearer [secret]"],
])("%j is shown without its secret", (text, expected) => {
  expect(publicMessage(text, [])).toBe(expected);
});

test("a cut never leaves half a character [F19]", () => {
  const message = publicMessage(`${"x".repeat(1_998)}🎉🎉`, []);
  expect(message.length).toBeLessThanOrEqual(2_000);
  expect(message.isWellFormed()).toBe(true);
});
