import type { JsonObject } from "../../contract/json.ts";
import type { ToolOutcome } from "../../contract/tool.ts";
import { formatCount } from "../../platform/format-count.ts";
import { failed } from "../shared/outcome.ts";
import type { EditStep, StepProblem } from "./apply-edits.ts";
import { lineFeeds, MAX_SPANS } from "./find-spans.ts";
import { explainMiss } from "./near-miss.ts";
import { lineAt, numberedLines } from "./snippet.ts";
import type { TextForm } from "./text-form.ts";

const MAX_PLACES = 10;

/** The failure of one step, with cause, line numbers and the file's real lines, so that the next try can succeed. */
export function explainProblem(
  form: TextForm,
  problem: StepProblem,
  steps: readonly EditStep[],
  path: string,
): ToolOutcome {
  const step = steps[problem.step]!;
  const which = steps.length > 1 ? `Edit ${problem.step + 1} of ${steps.length}: ` : "";
  const details: JsonObject = { path, code: problem.kind, replacements: 0 };
  const end = `\n${path} was not changed.`;
  if (problem.kind === "identical")
    return failed(
      `${which}old_string and new_string are the same: there is nothing to change.${end}`,
      details,
    );
  if (problem.kind === "too_many")
    return failed(
      `${which}old_string has more than ${formatCount(MAX_SPANS)} matches, too many to replace at once. Use a program (sed, perl) in bash.${end}`,
      details,
    );
  if (problem.kind === "too_large")
    return failed(
      `${which}with ${formatCount(problem.spans.length)} replacements the file would grow beyond 128 MB. Use a program in bash.${end}`,
      details,
    );
  if (problem.kind === "several") return several(form, problem, which, end, details);
  const text = lineFeeds(form.toText(problem.body));
  const miss = explainMiss(text, lineFeeds(step.old), lineFeeds(step.new));
  const real = miss.from > 0 ? numberedLines(form, problem.body, miss.from, miss.to) : [];
  const shown = real.length > 0 ? `:\n${real.join("\n")}` : ".";
  return failed(`${which}old_string is not in ${path}. ${miss.cause}${shown}${end}`, details);
}

function several(
  form: TextForm,
  problem: StepProblem,
  which: string,
  end: string,
  details: JsonObject,
): ToolOutcome {
  const lines = problem.spans.slice(0, MAX_PLACES).map((span) => lineAt(problem.body, span.start));
  const over = problem.spans.length > MAX_SPANS;
  const matches = over ? `more than ${formatCount(MAX_SPANS)}` : `${problem.spans.length}`;
  const more = problem.spans.length > lines.length ? ", …" : "";
  const first = numberedLines(form, problem.body, lines[0]!, lines[0]!);
  return failed(
    `${which}old_string has ${matches} matches, at lines ${lines.join(", ")}${more}. The first:\n${first.join("\n")}\n` +
      `Add lines around the one you mean until it is unique, or set replace_all.${end}`,
    { ...details, matches: problem.spans.length, lines },
  );
}
