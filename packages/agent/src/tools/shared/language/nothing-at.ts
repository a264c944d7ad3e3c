import type { JsonObject } from "../../../contract/json.ts";
import type { ToolContext, ToolOutcome } from "../../../contract/tool.ts";
import { empty } from "../outcome.ts";
import { sourceLines } from "./source-lines.ts";

/** The server looked and knows of nothing there; the line is shown, since a wrong column is the usual reason. */
export function nothingAt(
  { file, line, column }: { file: string; line: number; column: number },
  what: string,
  server: string,
  context: ToolContext,
  details: JsonObject,
): ToolOutcome {
  const shown = context.files.display(file);
  const text = sourceLines(context.files)(file, line);
  const hint = text === "" ? "" : `\nLine ${line} is: ${text}\nThe column must be at the name itself.`;
  return empty(`${server} knows of ${what} at ${shown}:${line}:${column}.${hint}`, details);
}
