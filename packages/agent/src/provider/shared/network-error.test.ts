import { expect, test } from "bun:test";
import { PiError } from "../../contract/errors.ts";
import { networkError } from "./network-error.ts";

const context = { provider: "acme", secrets: ["topsecret"], now: 0 };
const coded = (code: string) => new Error("outer", { cause: Object.assign(new Error("inner"), { code }) });

test.each([
  ["ECONNREFUSED", "refused", true],
  ["ConnectionRefused", "refused", true],
  ["ENOTFOUND", "host name", true],
  ["ECONNRESET", "closed", true],
  ["UND_ERR_SOCKET", "closed", true],
  ["ETIMEDOUT", "timed out", true],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate", false],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate", false],
])("the code %s deep in the causes is told in words", (code, words, retryable) => {
  expect(networkError(coded(code), context)).toMatchObject({
    code: "network",
    retryable,
    message: expect.stringContaining(words),
  });
});

test("an error of our own fetch keeps its words and is not retried", () => {
  const own = new PiError({
    code: "redirect",
    message: "redirected to http://elsewhere",
    hint: "set the final address",
  });
  expect(networkError(new Error("Connection error.", { cause: own }), context)).toEqual({
    code: "network",
    message: "redirected to http://elsewhere",
    hint: "set the final address",
    retryable: false,
  });
});

test("anything else is told with its innermost words, without secrets", () => {
  const thrown = new Error("outer", { cause: new Error("it broke near topsecret") });
  expect(networkError(thrown, context)).toMatchObject({
    retryable: true,
    message: "acme: the connection failed: it broke near [redacted]",
  });
  expect(networkError("a string", context).message).toContain("a string");
});

test("causes in a circle end", () => {
  const thrown = new Error("round");
  thrown.cause = thrown;
  expect(networkError(thrown, context).message).toContain("round");
});
