import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { AgentReport, AgentState, LeftAgentWork } from "../../../contract/subagents.ts";
import { safeLine } from "../../shared/safe-text.ts";
import { shortCount, shortDuration } from "../status/short-numbers.ts";
import type { ColorRole, Theme } from "../theme/theme.ts";
import type { AgentEntry } from "./agent-entries.ts";

/** What each state is called, and its colour. */
const STATES: Readonly<Record<AgentState | "left", readonly [words: string, color: ColorRole]>> = {
  waiting: ["waits", "muted"],
  running: ["running", "accent"],
  done: ["done", "success"],
  failed: ["failed", "error"],
  timed_out: ["timed out", "error"],
  killed: ["killed", "error"],
  cancelled: ["stopped", "warning"],
  left: ["left over", "warning"],
};
const STATE_WIDTH = 9;
const TIME_WIDTH = 7;
const TOKENS_WIDTH = 5;
const INDENT = "    ";

/** An entry in two rows: who it is and what for, then what it does or what became of it. */
export function entryRows(
  entry: AgentEntry,
  marked: boolean,
  ids: number,
  width: number,
  theme: Theme,
): string[] {
  const { color } = theme;
  const state = "report" in entry ? entry.report.state : "left";
  const [words, paint] = STATES[state];
  const numbers =
    "report" in entry
      ? [
          shortDuration(entry.report.durationMs).padStart(TIME_WIDTH),
          shortCount(entry.report.usage.total).padStart(TOKENS_WIDTH),
        ]
      : [" ".repeat(TIME_WIDTH), " ".repeat(TOKENS_WIDTH)];
  const id = truncateToWidth(safeLine(entry.id), ids, "…");
  const head = [
    marked ? "› " : "  ",
    color[paint](words.padEnd(STATE_WIDTH)),
    color.text(id) + " ".repeat(Math.max(0, ids - visibleWidth(id))),
    ...numbers.map((number) => color.muted(number)),
    marked ? theme.bold(color.text(titleOf(entry))) : color.text(titleOf(entry)),
  ];
  const first = truncateToWidth(`${head[0]}${head.slice(1).join(" ")}`, width, "…");
  const second = truncateToWidth(color.muted(INDENT + detailOf(entry)), width, "…");
  return [marked ? filled(first, width, theme) : first, second];
}

/** Columns that the ids take, at most a third of the row. */
export function idWidth(entries: readonly AgentEntry[], width: number): number {
  const widest = entries.reduce((most, { id }) => Math.max(most, visibleWidth(id)), 0);
  return Math.max(1, Math.min(widest, Math.floor(width / 3)));
}

function titleOf(entry: AgentEntry): string {
  if ("work" in entry) return safeLine(entry.work.branch);
  const { label, task } = entry.report;
  return safeLine(label ?? firstLine(task));
}

function detailOf(entry: AgentEntry): string {
  return safeLine("work" in entry ? leftDetail(entry.work) : reportDetail(entry.report));
}

function reportDetail({ state, lastAction, reason, change, text, notes }: AgentReport): string {
  if (state === "waiting") return "waits until there is a place";
  if (state === "running") return lastAction === "" ? "begins" : lastAction;
  const changed = change === null ? [] : [`${changedWords(change.stat)} on ${change.branch}`];
  const parts = [...(reason === null ? [] : [reason]), ...changed];
  return parts.length > 0 ? parts.join("; ") : firstLine(text) || notes.join(" ");
}

function leftDetail({ stat, folder, dirty }: LeftAgentWork): string {
  const where = folder === null ? "" : `; ${folder}${dirty ? " holds what no branch does" : ""}`;
  return changedWords(stat) + where;
}

/** The sum below a `git diff --stat`. */
function changedWords(stat: string): string {
  return stat.trim().split("\n").at(-1)!.trim() || "nothing is changed";
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]!;
}

function filled(line: string, width: number, theme: Theme): string {
  return theme.background.selection(line + " ".repeat(Math.max(0, width - visibleWidth(line))));
}
