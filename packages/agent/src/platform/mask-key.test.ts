import { expect, test } from "bun:test";
import { maskKey } from "./mask-key.ts";

test("of a long key its ends are shown, of a short one nothing [X05]", () => {
  expect(maskKey("sk-ant-1234567890abcd")).toBe("sk-a…abcd");
  expect(maskKey("short-secret")).toBe("…");
});
