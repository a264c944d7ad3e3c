/** What the model reads when a call did not run or was not finished. One place, so that the wording stays one. */
import type { CallProblem } from "../contract/messages.ts";
import type { ToolOutcome } from "../contract/tool.ts";

/** Why a call gave nothing; `details.code` of its result. */
export type RefusalCode =
  | "cut"
  | "malformed"
  | "unknown_tool"
  | "invalid_arguments"
  | "blocked"
  | "hook_failed"
  | "threw"
  | "interrupted"
  | "not_started";

/** A failed result made by the loop. A call that was never let through was `not_looked`; all others `failed`. */
export function refusal(code: RefusalCode, text: string): ToolOutcome {
  const outcome = code === "blocked" || code === "not_started" ? "not_looked" : "failed";
  return { outcome, text, isError: true, details: { code } };
}

/** A call whose arguments were cut or could not be read. */
export function problemRefusal(name: string, problem: CallProblem): ToolOutcome {
  if (problem.kind === "cut")
    return refusal(
      "cut",
      `The call of ${name} was cut off by the output limit and was not run; nothing has changed. Do the work in several smaller ` +
        "calls: for a long file, write the first part, then add the rest with further edits.",
    );
  return refusal(
    "malformed",
    `The call of ${name} was not run: ${problem.message}\nReceived: ${excerpt(problem.raw)}\n` +
      "Send the call again with its arguments as one valid JSON object.",
  );
}

export function notStarted(): ToolOutcome {
  return refusal("not_started", "Interrupted before it started: this call was not run.");
}

/** Of a tool that did not wind up in time. `output` is what it had shown, as much as is worth keeping. */
export function interrupted(output: string): ToolOutcome {
  const shown = output.trim() === "" ? "" : `\nIts output until then:\n${output.trimEnd()}`;
  return refusal("interrupted", `Interrupted while it ran: what it has done is not known.${shown}`);
}

function excerpt(raw: string): string {
  return raw.length <= 300 ? raw : `${raw.slice(0, 300).toWellFormed()}… (${raw.length} characters)`;
}
