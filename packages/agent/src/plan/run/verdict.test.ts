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
