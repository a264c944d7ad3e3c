import type { Slice } from "../spec/parse-plan.ts";
import type { CommandEnd, RunDiff } from "./run-ports.ts";

/** Characters of a failing command's output that a worker is given. */
const MOST_OUTPUT = 6_000;

/** The first message of a slice's worker. */
export function slicePrompt(spec: string, briefing: string, slice: Slice, earlier: string | null): string {
  return [
    `You carry out one slice of the spec "${spec}": slice ${slice.number}, ${slice.title}. Other slices are the work of others: leave them alone, and write nothing below specs/.`,
    block("briefing", briefing),
    block("slice", sliceText(slice)),
    ...(earlier === null ? [] : [earlier]),
    "When the slice is done each of its verify commands succeeds; run them yourself before you end. They are run again after you, and so are the gates.",
  ].join("\n\n");
}

function sliceText({ number, title, files, verify, notes }: Slice): string {
  return [
    `Slice ${number}: ${title}`,
    ...(files.length === 0 ? [] : [`files: ${files.join(", ")}`]),
    ...verify.map((command) => `verify: ${command}`),
    ...(notes === "" ? [] : ["", notes]),
  ].join("\n");
}

/** The next message of a worker whose slice does not hold yet. */
export function repairPrompt(reason: string): string {
  return `It is not done yet. ${reason}\n\nFind the cause, mend it, and check it yourself. Do not weaken the check.`;
}

/** What a failed command says to who has to mend it. */
export function failureText(kind: "verify command" | "gate", command: string, end: CommandEnd): string {
  return `The ${kind} failed (${end.how}):\n${block("command", command)}\n${block("output", bounded(end.output.trim(), MOST_OUTPUT))}`;
}

/** The task of a worker who mends the whole. */
export function mendPrompt(spec: string, briefing: string, reason: string): string {
  return [
    `All slices of the spec "${spec}" are in this copy of the project, and together they do not hold yet. Write nothing below specs/.`,
    block("briefing", briefing),
    reason,
    "Find the cause, mend it, and check it yourself. Do not weaken the check.",
  ].join("\n\n");
}

/** The task of the reviewer. */
export function reviewPrompt(
  spec: string,
  parts: { briefing: string; criteria: string | null; base: string; diff: RunDiff },
): string {
  const { briefing, criteria, base, diff } = parts;
  const rest =
    diff.leftOut === 0
      ? ""
      : ` ${diff.leftOut} characters of it are left out: git diff ${base} shows all of it, git diff ${base} -- FILE one file.`;
  return [
    `Review the work on the spec "${spec}". It stands in the folder where you are; git diff ${base} is what was changed.`,
    block("briefing", briefing),
    block(
      "done-criteria",
      criteria ??
        "None are written down: judge by the objective and the acceptance criteria of the briefing.",
    ),
    `The change:${rest}\n${block("diff", `${diff.stat}\n\n${diff.text}`)}`,
    "Judge by the criteria and the real change, not by what is claimed. Look whether tests test what they say. Then give your reasons, each failed criterion with file and line, and end with one line: VERDICT: PASS or VERDICT: FAIL. FAIL only for what breaks a criterion or does harm.",
  ].join("\n\n");
}

/** A text cut in its middle. */
export function bounded(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half).toWellFormed()}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half).toWellFormed()}`;
}

function block(name: string, text: string): string {
  return `<${name}>\n${text.trim()}\n</${name}>`;
}
