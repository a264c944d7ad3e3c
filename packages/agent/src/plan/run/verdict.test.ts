import { expect, test } from "bun:test";
import { verdictIn } from "./verdict.ts";

test.each([
  ["Fine.\nVERDICT: PASS", "pass", "Fine."],
  ["a.ts:3 is wrong\n**VERDICT: FAIL**\n", "fail", "a.ts:3 is wrong"],
  ["VERDICT: PASS\nOn second thoughts:\nVerdict: fail", "fail", "VERDICT: PASS\nOn second thoughts:"],
  ["I say VERDICT: PASS or so", "fail", "The reviewer gave no verdict.\nI say VERDICT: PASS or so"],
  ["VERDICT: PASSABLE", "fail", "The reviewer gave no verdict."],
  ["", "fail", "The reviewer gave no verdict."],
])("%j is a %s [A-SOP-04]", (answer, verdict, reasons) => {
  expect(verdictIn(answer)).toEqual({ verdict: verdict as "pass", reasons });
});

test("a PASS with a condition, or beside a FAIL, is no clear one, and the condition is among the reasons [A-SOP-04]", () => {
  for (const line of [
    "VERDICT: PASS or FAIL",
    "VERDICT: PASS/FAIL",
    "VERDICT: PASS if the tests are mended",
    "**VERDICT: PASS**, but a.ts is wrong",
  ])
    expect(verdictIn(`I looked.\n${line}`)).toEqual({ verdict: "fail", reasons: `I looked.\n${line}` });
  expect(verdictIn("VERDICT: PASS (all criteria hold)").verdict).toBe("pass");
});
