import type { JsonObject } from "../../../../contract/json.ts";
import { formatCount } from "../../../../platform/format-count.ts";
import type { ColorRole } from "../../theme/theme.ts";
import { countChanges, type DiffLine } from "../diff/diff-line.ts";
import { countLines } from "./text-lines.ts";
import { numberOf, shortJson, type ToolRun, textOf } from "./tool-run.ts";

/** A short fact behind the argument, e.g. `exit code 1`. */
export interface Fact {
  text: string;
  role: ColorRole;
}

/** The one line of a call: what it is about, and what came out. Texts are raw. */
interface Headline {
  argument: string;
  facts: Fact[];
}

/** What matters of a call, by its tool. `changes` are those of an edit; paths below `cwd` are shown without it. */
export function headline(run: ToolRun, changes: readonly DiffLine[] | undefined, cwd: string): Headline {
  const { input } = run;
  const details = run.result?.details ?? {};
  const facts: Fact[] = [];
  const fact = (text: string | undefined, role: ColorRole = "muted") => {
    if (text !== undefined) facts.push({ text, role });
  };
  const given = textOf(details, "path") ?? textOf(input, "file_path", "path", "file", "filename");
  const path = given?.startsWith(`${cwd}/`) ? given.slice(cwd.length + 1) : given;
  switch (run.name) {
    case "bash":
      commandFacts(details, fact);
      return { argument: firstLine(textOf(input, "command", "cmd", "script") ?? ""), facts };
    case "read":
      return { argument: `${path ?? ""}${range(input, details)}`, facts };
    case "edit":
    case "write":
      if (changes) {
        const { added, removed } = countChanges(changes);
        fact(`+${formatCount(added)}`, "diffAdded");
        if (removed > 0 || details["created"] !== true) fact(`−${formatCount(removed)}`, "diffRemoved");
      } else if (run.name === "write" && run.result && !run.result.isError) {
        const lines = countLines(textOf(input, "content", "contents", "text") ?? "");
        fact(details["unchanged"] === true ? "unchanged" : `${count(lines, "line")}, replaced`);
      }
      return { argument: path ?? "", facts };
    case "grep":
      fact(countFact(details, "total_matches", "match", "matches"));
      return { argument: searched(input), facts };
    case "find":
      fact(countFact(details, "total_files", "file"));
      return { argument: searched(input), facts };
    case "ls":
    case "tree":
      return { argument: path ?? ".", facts };
    case "bash-output":
    case "bash-kill":
      return { argument: textOf(input, "id", "handle") ?? values(input), facts };
    default:
      return { argument: values(input), facts };
  }
}

function commandFacts(details: JsonObject, fact: (text: string | undefined, role?: ColorRole) => void): void {
  const handle = textOf(details, "handle");
  if (handle !== undefined && details["running"] === true) fact(`in the background as ${handle}`);
  const code = numberOf(details, "exit_code");
  if (details["timed_out"] === true) fact("timed out", "error");
  else if (code !== undefined && code >= 0) fact(`exit ${code}`, code === 0 ? "muted" : "error");
  const ms = numberOf(details, "duration_ms");
  if (ms !== undefined) fact(seconds(ms));
}

/** "0.4s", "12s", "3m 05s". */
export function seconds(ms: number): string {
  if (ms < 9_950) return `${(Math.max(0, ms) / 1_000).toFixed(1)}s`;
  const whole = Math.round(ms / 1_000);
  if (whole < 60) return `${whole}s`;
  const minutes = Math.floor(whole / 60);
  const rest = `${String(whole % 60).padStart(2, "0")}s`;
  return minutes < 60 ? `${minutes}m ${rest}` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

function range(input: JsonObject, details: JsonObject): string {
  const first = numberOf(details, "first_line") ?? numberOf(input, "offset");
  const total = numberOf(details, "total_lines");
  const limit = numberOf(input, "limit");
  const last = numberOf(details, "last_line") ?? (limit === undefined ? undefined : (first ?? 1) + limit - 1);
  if (first === undefined && last === undefined) return "";
  if ((first ?? 1) === 1 && last !== undefined && last === total) return "";
  return `:${first ?? 1}-${last ?? ""}`;
}

function searched(input: JsonObject): string {
  const where = textOf(input, "path", "file_path", "folder");
  const glob = textOf(input, "glob", "include");
  const pattern = textOf(input, "pattern", "glob") ?? "";
  const only = glob === undefined || glob === pattern ? "" : ` in ${glob}`;
  return `${pattern}${where === undefined ? only : ` in ${where}${glob === undefined ? "" : `/${glob}`}`}`;
}

function countFact(details: JsonObject, name: string, one: string, many = `${one}s`): string | undefined {
  const total = numberOf(details, name);
  return total === undefined ? undefined : count(total, one, many);
}

function count(total: number, one: string, many = `${one}s`): string {
  return `${formatCount(total)} ${total === 1 ? one : many}`;
}

function values(input: JsonObject): string {
  return Object.values(input)
    .slice(0, 8)
    .map((value) => shortJson(value).slice(0, 500))
    .join(" ");
}

function firstLine(text: string): string {
  const lines = text.trim().split("\n");
  return lines.length === 1 ? lines[0]! : `${lines[0]} …`;
}
