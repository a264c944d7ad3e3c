/** What a reviewer said of a run's work. */
export interface Verdict {
  verdict: "pass" | "fail";
  reasons: string;
}

/** What makes a PASS depend on something. */
const UNCLEAR = /\b(?:fail|if|unless|but|except|once|provided|assuming|after|until|or|not)\b/i;

/** The last line of the form `VERDICT: PASS` or `VERDICT: FAIL`; an answer without one, or with a condition, is no pass. */
export function verdictIn(answer: string): Verdict {
  const lines = answer.trim().split("\n");
  const at = lines.findLastIndex((line) => /^\W*VERDICT\W/i.test(line));
  const [, word, rest = ""] = /VERDICT\W+(PASS|FAIL)\b(.*)/i.exec(lines[at] ?? "") ?? [];
  const reasons = lines
    .filter((_, index) => index !== at)
    .join("\n")
    .trim();
  if (word === undefined)
    return {
      verdict: "fail",
      reasons: `The reviewer gave no verdict.${reasons === "" ? "" : `\n${reasons}`}`,
    };
  if (word.toLowerCase() === "pass" && !UNCLEAR.test(rest)) return { verdict: "pass", reasons };
  const condition = !/\w/.test(rest) ? "" : `\n${lines[at]!.trim()}`;
  return { verdict: "fail", reasons: `${reasons}${condition}`.trim() };
}
