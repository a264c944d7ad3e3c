import { expect, test } from "bun:test";
import { searchPrompts } from "./history-search.ts";
import { PromptBench } from "./test-support/prompt-bench.ts";

const HISTORY = ["fix the login test", "write docs", "Fix the parser", "run\nthe tests"];
const SEARCH = "\x12";
const ENTER = "\r";

test("Ctrl+R shows earlier prompts, the latest next to what is typed, and Enter takes one without sending it", () => {
  using bench = new PromptBench({ history: () => HISTORY });
  bench.type("draft").type(SEARCH);
  expect(bench.lines().map((line) => line.trimEnd())).toEqual([
    expect.stringContaining("earlier prompts 1/4"),
    "  fix the login test",
    "  write docs",
    "  Fix the parser",
    "→ run the tests",
    expect.stringMatching(/^> /),
    expect.stringMatching(/^─+$/),
  ]);
  bench.type("fix").type(ENTER);
  expect([bench.text, bench.sent]).toEqual(["Fix the parser", []]);
});

test("Ctrl+R again goes to the next older match, Down comes back", () => {
  using bench = new PromptBench({ history: () => HISTORY });
  bench.type(SEARCH).type("the fix").type(SEARCH).type(SEARCH);
  expect(bench.lines()[0]).toContain("2/2");
  bench.type("\x1b[B").type("\x1b[A").type(ENTER);
  expect(bench.text).toBe("fix the login test");
});

test("Escape and Ctrl+C leave the search and the draft as it was", () => {
  for (const key of ["\x1b", "\x03", "\x1b[27u"]) {
    using bench = new PromptBench({ history: () => HISTORY });
    bench.type("draft").type(SEARCH).type("parser").type(key);
    expect([bench.text, bench.editor.isMenuOpen, bench.actions]).toEqual(["draft", false, []]);
  }
});

test("a search without a match says so, and Enter then changes nothing", () => {
  using bench = new PromptBench({ history: () => HISTORY });
  bench.type("draft").type(SEARCH).type("nowhere");
  expect(bench.lines()[1]).toContain("no earlier prompt has this in it");
  bench.type(ENTER);
  expect(bench.text).toBe("draft");
});

test("what was typed over is brought back by undo", () => {
  using bench = new PromptBench({ history: () => HISTORY });
  bench.type("draft").type(SEARCH).type(ENTER).type("\x1f");
  expect(bench.text).toBe("draft");
});

test("every word has to be there, in any order and case", () => {
  expect(searchPrompts(HISTORY, "FIX the")).toEqual(["fix the login test", "Fix the parser"]);
  expect(searchPrompts(HISTORY, "tests run")).toEqual(["run\nthe tests"]);
  expect(searchPrompts(HISTORY, " ")).toEqual(HISTORY);
});
