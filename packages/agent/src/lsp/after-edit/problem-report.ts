import type { PlacedProblem, ProblemChange } from "./problem-change.ts";

const MOST_IN_FILE = 20;
const MOST_ELSEWHERE = 5;
const MOST_MESSAGE = 400;

/** Problems that came up in other files. */
export interface Elsewhere {
  path: string;
  added: readonly PlacedProblem[];
}

/** The lines of a report, one a problem: `path:line:column: severity: message`. */
export function problemLines(path: string, problems: readonly PlacedProblem[]): string[] {
  return problems.map(({ line, column, severity, message, source, code }) => {
    const by = [source, code].filter((word) => word !== undefined).join(" ");
    const text = message.replace(/\s*\n\s*/g, " | ");
    const short = text.length > MOST_MESSAGE ? `${text.slice(0, MOST_MESSAGE).toWellFormed()}…` : text;
    return `${path}:${line}:${column}: ${severity}: ${short}${by === "" ? "" : ` (${by})`}`;
  });
}

/** What a change did to the problems of its file, for the model. `compared` is false when nothing was known of before. */
export function reportProblems(
  server: string,
  path: string,
  change: ProblemChange,
  compared: boolean,
): { text: string; lines: string[] } {
  const { added, still } = change;
  const told = added.length + still.length;
  // Of more than can be shown, errors go before warnings.
  const order = ({ severity }: PlacedProblem) => Number(severity !== "error");
  const sorted = [...added, ...still].sort((a, b) => order(a) - order(b));
  const lines = problemLines(path, sorted.slice(0, MOST_IN_FILE));
  const head = `Diagnostics (${server}): ${summary(change, compared)}`;
  const left = told - lines.length;
  const more = left > 0 ? [`… ${left} more; lsp-diagnostics lists them.`] : [];
  return { text: [head, ...lines, ...more].join("\n"), lines };
}

function summary({ added, still, gone, kept }: ProblemChange, compared: boolean): string {
  const errors = added.filter(({ severity }) => severity === "error").length;
  const warnings = added.length - errors;
  const fresh = compared ? "new " : "";
  const parts = [
    ...(errors > 0 ? [`${errors} ${fresh}${errors === 1 ? "error" : "errors"}`] : []),
    ...(warnings > 0 ? [`${warnings} ${fresh}${warnings === 1 ? "warning" : "warnings"}`] : []),
    ...(added.length === 0 ? ["nothing new"] : []),
    ...(still.length > 0 ? [`${still.length} still there`] : []),
    ...(gone > 0 ? [`${gone} gone`] : []),
    ...(kept > 0 ? [`${kept} as before`] : []),
  ];
  if (added.length + still.length + kept === 0) return gone > 0 ? `none left, ${gone} gone.` : "none.";
  const unsure = compared ? "" : " (which of them are new is not known)";
  return `${parts.join(", ")}${unsure}${added.length + still.length > 0 ? ":" : "."}`;
}

/** What came up in other files; empty text when nothing did. */
export function reportElsewhere(elsewhere: readonly Elsewhere[]): { text: string; lines: string[] } {
  const all = elsewhere.flatMap(({ path, added }) => problemLines(path, added));
  if (all.length === 0) return { text: "", lines: [] };
  const lines = all.slice(0, MOST_ELSEWHERE);
  const left = all.length - lines.length;
  const more = left > 0 ? [`… ${left} more in other files.`] : [];
  return { text: ["New errors in other files:", ...lines, ...more].join("\n"), lines };
}
