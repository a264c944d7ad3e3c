import { isPiError } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Looked } from "../../../contract/language-servers.ts";
import type { ToolContext, ToolOutcome } from "../../../contract/tool.ts";
import { nearPaths } from "../near-paths.ts";
import { failureOf, notLooked } from "../outcome.ts";

/** Asks, and makes an outcome of what comes back: the answer by `report`, or why nobody knows. */
export async function askServer<Value>(
  file: string,
  context: ToolContext,
  ask: () => Promise<Looked<Value>>,
  report: (value: Value, server: string) => ToolOutcome,
): Promise<ToolOutcome> {
  const details: JsonObject = { file: context.files.display(file) };
  try {
    const looked = await ask();
    if (looked.state === "answer") return withDetails(report(looked.value, looked.server), details);
    const hint = looked.hint === undefined ? "" : `\n${looked.hint}`;
    return notLooked(`Not looked: ${looked.reason}.${hint}`, {
      ...details,
      code: looked.code,
      error: looked.reason,
    });
  } catch (thrown) {
    const outcome = failureOf(thrown, details);
    if (isPiError(thrown) && thrown.code === "file_missing")
      outcome.text += `\n${nearPaths(context.files, file)}`;
    return outcome;
  }
}

function withDetails(outcome: ToolOutcome, details: JsonObject): ToolOutcome {
  return { ...outcome, details: { ...details, ...outcome.details } };
}
