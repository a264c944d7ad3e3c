import { expect, test } from "bun:test";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { sha256 } from "./sha256.ts";

test("a text has the hash, and with a key the HMAC, that every other program computes", () => {
  for (const text of ["", "abc", "größe ✓", "x".repeat(10_000)]) {
    expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
    const key = randomBytes(32);
    expect(sha256(text, key)).toBe(createHmac("sha256", key).update(text).digest("hex"));
  }
});
