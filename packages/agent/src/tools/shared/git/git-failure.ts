import { isPiError } from "../../../contract/errors.ts";
import type { ToolOutcome } from "../../../contract/tool.ts";
import { failureOf, notLooked } from "../outcome.ts";

/** The outcome for what {@link openGit} or a git call threw: a machine without git has not been looked at; the rest failed. */
export function gitFailure(thrown: unknown): ToolOutcome {
  if (isPiError(thrown) && thrown.code === "git_missing")
    return { ...notLooked(`${thrown.message}\n${thrown.hint}`, { code: thrown.code }), isError: true };
  return failureOf(thrown);
}
