import type { SourceLocation } from "../../../contract/language-servers.ts";
import type { ToolContext, ToolOutcome } from "../../../contract/tool.ts";
import { formatCount } from "../../../platform/format-count.ts";
import { found } from "../outcome.ts";
import { printableName } from "../printable-name.ts";
import { sourceLines } from "./source-lines.ts";

const MOST_LOCATIONS = 100;

/** Places with their lines, in the order of files and lines; cut after 100, with how to see the rest. `what` is "definition" or "reference". */
export function listLocations(
  locations: readonly SourceLocation[],
  what: string,
  context: ToolContext,
): ToolOutcome {
  const sorted = [...locations].sort(
    (a, b) =>
      Number(a.outside) - Number(b.outside) ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
      a.line - b.line ||
      a.column - b.column,
  );
  const lineAt = sourceLines(context.files);
  const shown = sorted.slice(0, MOST_LOCATIONS).map(({ path, line, column, outside }) => {
    const place = `${printableName(path)}:${line}:${column}`;
    const text = outside ? "(outside of the project; read cannot open it)" : lineAt(path, line);
    return text === "" ? place : `${place}: ${text}`;
  });
  const files = new Set(sorted.map(({ path }) => path)).size;
  const count = sorted.length === 1 ? `1 ${what}` : `${formatCount(sorted.length)} ${what}s`;
  const head = files > 1 ? `${count} in ${formatCount(files)} files` : count;
  const cut =
    sorted.length > MOST_LOCATIONS
      ? [
          `… ${formatCount(sorted.length - MOST_LOCATIONS)} more are not shown. To see them, grep for the name, in these files: ${restFiles(sorted)}`,
        ]
      : [];
  return found([`${head}:`, ...shown, ...cut].join("\n"), {
    locations: sorted
      .slice(0, MOST_LOCATIONS)
      .map(({ path, line, column }) => ({ file: path, line, column })),
    total: sorted.length,
    truncated: sorted.length > MOST_LOCATIONS,
  });
}

function restFiles(sorted: readonly SourceLocation[]): string {
  const rest = [...new Set(sorted.slice(MOST_LOCATIONS).map(({ path }) => printableName(path)))];
  const more = rest.length > 10 ? `, and ${formatCount(rest.length - 10)} more` : "";
  return rest.slice(0, 10).join(", ") + more;
}
