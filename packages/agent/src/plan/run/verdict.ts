/** What a reviewer said of a run's work. */
export interface Verdict {
  verdict: "pass" | "fail";
  reasons: string;
}

/** The last line of the form `VERDICT: PASS` or `VERDICT: FAIL`; an answer without one is no pass. */
export function verdictIn(answer: string): Verdict {
  const lines = answer.trim().split("\n");
  const at = lines.findLastIndex((line) => /^\W*VERDICT\W/i.test(line));
  const [, word] = /VERDICT\W+(PASS|FAIL)\b/i.exec(lines[at] ?? "") ?? [];
  const reasons = lines
    .filter((_, index) => index !== at)
    .join("\n")
    .trim();
  if (word === undefined)
    return {
      verdict: "fail",
      reasons: `The reviewer gave no verdict.${reasons === "" ? "" : `\n${reasons}`}`,
    };
  return { verdict: word.toLowerCase() === "pass" ? "pass" : "fail", reasons };
}
