import { expect, test } from "bun:test";
import { fillBudget } from "./fill-budget.ts";

const texts = ["short one", "a very long text ".repeat(50), "another short one"];

test("takes whole items only, and names what it left out", () => {
  const { taken, omitted, tokens } = fillBudget(texts, (text) => text, 30, 5);
  expect(taken).toEqual(["short one", "another short one"]);
  expect(omitted).toEqual([texts[1]!]);
  expect(tokens).toBeLessThanOrEqual(30);
});

test("nothing that fits costs nothing", () => {
  expect(fillBudget(texts, (text) => text, 3, 2)).toEqual({ taken: [], omitted: texts, tokens: 0 });
});
