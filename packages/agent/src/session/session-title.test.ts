import { expect, test } from "bun:test";
import { titleFrom } from "./session-title.ts";

test("the title is the first line that says something, without control characters", () => {
  expect(titleFrom("\n\n  fix \u001b[31mthe\tbug \r\nand more")).toBe("fix  [31mthe bug");
  expect(titleFrom("one\u2028two")).toBe("one");
  expect(titleFrom(" \n\t\n")).toBeUndefined();
});

test("a long title is cut at 200 characters and never inside of a pair [F19]", () => {
  for (let before = 195; before <= 202; before++) {
    const title = titleFrom(`${"x".repeat(before)}😀 and much more after that`)!;
    expect(title.length).toBeLessThanOrEqual(200);
    expect(title.isWellFormed()).toBe(true);
  }
  expect(titleFrom("x".repeat(200))).toBe("x".repeat(200));
  expect(titleFrom("a\ud83d")).toBe("a\ufffd");
});

test("a title holds no secret of the prompt, also where it is cut [X05]", () => {
  expect(titleFrom("use AKIAIOSFODNN7EXAMPLQ for it")).toBe("use [redacted] for it");
  const long = titleFrom(`${"x".repeat(185)} ghp_16C7e42F292c6912E7710c838347Ae178B4a`)!;
  expect(long).not.toContain("ghp_");
  expect(titleFrom("-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----")).toBe(
    "[redacted]",
  );
});
