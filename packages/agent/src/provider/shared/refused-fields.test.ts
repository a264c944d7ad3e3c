import { expect, test } from "bun:test";
import type { ModelError } from "../../contract/model.ts";
import { RefusedFields } from "./refused-fields.ts";

const refusal = (message: string, more: Partial<ModelError> = {}): ModelError => ({
  code: "invalid",
  status: 400,
  retryable: false,
  message,
  ...more,
});
const fields = () => new RefusedFields([{ name: "store" }, { name: "max_tokens", limit: true }]);
const sent = '{"store":false,"max_tokens":9}';

test.each([
  "Unknown parameter: 'store'.",
  "store: Extra inputs are not permitted",
  "Unrecognized request argument supplied: store",
  '[{"type":"extra_forbidden","loc":["body","store"]}]',
  "This model does not support store",
])("a refusal that names a sent field is learned from: %s", (message) => {
  const learned = fields();
  expect(learned.learn(refusal(message), sent)).toBe(true);
  expect([...learned.dropped]).toEqual(["store"]);
});

test("each field is learned once, so that tries end", () => {
  const learned = fields();
  learned.learn(refusal("Unknown parameter: store"), sent);
  expect(learned.learn(refusal("Unknown parameter: store"), sent)).toBe(false);
});

test("a field that was not sent, another status and another complaint teach nothing", () => {
  const learned = fields();
  expect(learned.learn(refusal("Unknown parameter: store"), "{}")).toBe(false);
  expect(learned.learn(refusal("Unknown parameter: store", { status: 500 }), sent)).toBe(false);
  expect(learned.learn(refusal("store must be a boolean"), sent)).toBe(false);
  expect(learned.learn(refusal("Unknown parameter: restore"), sent)).toBe(false);
});

test("a limit that is too high is given up, also where the words sound like an overflow", () => {
  const learned = fields();
  const error = refusal("max_tokens is too large: 9. The maximum context length is 8.", { code: "overflow" });
  expect(learned.learn(error, sent)).toBe(true);
});
