import { expect, test } from "bun:test";
import { cleanMessage, messageProblem } from "./commit-message.ts";

test.each([
  ["fix(parse): read the last line", "fix(parse): read the last line"],
  ['"feat: add a flag"', "feat: add a flag"],
  ["`feat: add a flag`", "feat: add a flag"],
  ["**feat: add a flag**", "feat: add a flag"],
  ["“feat: add a flag”", "feat: add a flag"],
  ["```\nfeat: add a flag\n```", "feat: add a flag"],
  ["```text\nfeat: add a flag\n\nIt is longer.\n```", "feat: add a flag"],
  ["Here is the message:\n\nfeat: add a flag", "feat: add a flag"],
  ["<think>a feat: maybe</think>\nfix: mend it", "fix: mend it"],
  ["- feat: add a flag.", "feat: add a flag"],
  ["Feat(CLI)!: Add a flag...", "feat(CLI)!: add a flag"],
  ["docs: README tells of flags", "docs: README tells of flags"],
  ["refactor: ToolContext has doors", "refactor: ToolContext has doors"],
  ["feat: rename `a` to `b`", "feat: rename `a` to `b`"],
  ["Add a flag.", "chore: add a flag"],
  ["feat: añade una opción", "feat: añade una opción"],
  ["fix: tab\there \u001b[31mred", "fix: tab here  [31mred"],
  ["", ""],
  ["```\n```", ""],
])("the message of %j is %j", (answer, message) => {
  expect(cleanMessage(answer)).toBe(message);
});

test("a message is cut at a word so that it has at most 72 characters", () => {
  const message = cleanMessage(`feat: ${"words and ".repeat(20)}`);
  expect(message.length).toBeLessThanOrEqual(72);
  expect(message).toMatch(/ (words|and)$/);
  expect([...cleanMessage(`feat: ${"é".repeat(100)}`)]).toHaveLength(72);
});

test("cutting splits no character", () => {
  expect(cleanMessage(`feat: ${"🎉".repeat(80)}`).isWellFormed()).toBe(true);
});

test.each([
  ["fix: mend it", null],
  ["mend it", "form"],
  ["update: mend it", "form"],
  [`fix: ${"x".repeat(80)}`, "85 characters"],
  ["", "empty"],
])("what is wrong with %j is told as %p", (answer, problem) => {
  const found = messageProblem(answer);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});
