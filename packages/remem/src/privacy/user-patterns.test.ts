import { expect, test } from "bun:test";
import { createScreen } from "./create-screen.ts";
import { compileUserPatterns } from "./user-patterns.ts";

test("the user's own patterns take out what they match [A-MEM-09] [A-MEM-10]", async () => {
  const screen = createScreen({ patterns: ["EMP-\\d+", "/project (apollo|gemini)/i", "кот\\p{L}*"] });
  expect(screen.problems).toEqual([]);
  expect((await screen.screen("EMP-1234 works on Project Apollo, котик")).text).toBe(
    "[redacted:user-pattern] works on [redacted:user-pattern], [redacted:user-pattern]",
  );
});

test("a pattern that is no expression is reported, and the others hold [A-MEM-09] [A-MEM-10]", async () => {
  const screen = createScreen({ patterns: ["(", "EMP-\\d+", "", "a*"] });
  expect(screen.problems.map(({ pattern }) => pattern)).toEqual(["(", "", "a*"]);
  expect(screen.problems[0]!.problem).toStartWith("the pattern is no regular expression: ");
  expect((await screen.screen("EMP-1")).text).toBe("[redacted:user-pattern]");
});

test("patterns that a text could make run for ever are refused before they see one [A-MEM-09]", () => {
  const patterns = [
    "(a+)+$",
    "(a|a)*b",
    "(?:x*)*y",
    "([a-z]+)*!",
    "(\\w+\\s?)+$",
    "a*a*a*a*b",
    ".*.*.*.*x",
    "(a)\\1",
    "ID-(b+)+c",
    "(a?){40}a{40}",
    "(a{1,30}){1,30}b",
  ];
  expect(compileUserPatterns(patterns).problems.map(({ pattern }) => pattern)).toEqual(patterns);
});

test("honest patterns are not taken for slow ones [A-MEM-09]", () => {
  const patterns = [
    "\\d+\\.\\d+\\.\\d+",
    "[A-Z]{2,4}-\\d{3,6}",
    "(?:foo|bar)-\\w+",
    "https://intranet\\.acme\\.dev/\\S*",
    "(?<=ticket )\\w+",
    "customer(?:-id)?: ?\\d+",
    "([0-9a-f]{2}:){5}[0-9a-f]{2}",
    "(?:\\d{1,3}\\.){3}\\d{1,3}",
  ];
  expect(compileUserPatterns(patterns).problems).toEqual([]);
});

test("a pause of a busy machine does not make an honest pattern a slow one [A-MEM-09]", () => {
  let time = 0;
  let looks = 0;
  // Every fifth look at the clock comes after a pause.
  const now = () => (time += ++looks % 5 === 0 ? 100 : 0);
  expect(compileUserPatterns(["EMP-\\d+", "https://intranet\\.acme\\.dev/\\S*"], now).problems).toEqual([]);
});

test("a match is found anywhere in a line of any length, and once [A-MEM-09]", () => {
  const { detect } = compileUserPatterns(["EMP-\\d+x"]);
  const text = `first\n${"-".repeat(1_020)}EMP-12345x${"-".repeat(3_000)}EMP-6x`;
  expect([...new Set(detect(text).map(({ start, end }) => text.slice(start, end)))]).toEqual([
    "EMP-12345x",
    "EMP-6x",
  ]);
});
