import type { CommandBlock } from "../../contract/command.ts";
import type { SlashOutcome } from "../../contract/slash-command.ts";
import type { AgentReport, LeftAgentWork } from "../../contract/subagents.ts";
import type { AgentsReport } from "./agents-ports.ts";
import { count, oneLine } from "./shared/format.ts";
import { table, text } from "./shared/outcome.ts";

const STATES: Readonly<Record<AgentReport["state"], string>> = {
  waiting: "waits for a place",
  running: "running",
  done: "done",
  failed: "failed",
  timed_out: "timed out",
  killed: "killed",
  cancelled: "cancelled",
};

/** The subagents of this session and the work that is left over. */
export function listed({ running, left, problems }: AgentsReport): SlashOutcome {
  const blocks: CommandBlock[] = [];
  // What one of this session is at work on stands among those that run.
  const open = left.filter(({ busy }) => !busy);
  if (running.length === 0 && open.length === 0)
    blocks.push(text("No subagent was started in this session. /agents types lists the agents there are."));
  if (running.length > 0)
    blocks.push(table(["subagent", "", "time", "tokens", "last", "task"], running.map(row)));
  if (open.length > 0) {
    blocks.push(table(["left over", "changes", "worktree"], open.map(leftRow)));
    blocks.push(text("/agents apply ID brings a change into your files, merge commits it, drop forgets it."));
  }
  if (problems.length > 0) blocks.push(problemTable(problems));
  return { blocks };
}

/** The kinds of agents, and the files that are none. */
export function typesListed({ types, problems }: AgentsReport): SlashOutcome {
  const rows = types.map(({ name, role, from, description }) => [name, role, from, oneLine(description, 80)]);
  const blocks: CommandBlock[] = [table(["agent", "model", "from", ""], rows)];
  if (problems.length > 0) blocks.push(problemTable(problems));
  return { blocks };
}

function row({ id, state, reason, durationMs, usage, lastAction, label, task }: AgentReport): string[] {
  const how = reason === null ? STATES[state] : `${STATES[state]}: ${oneLine(reason, 80)}`;
  return [
    id,
    how,
    seconds(durationMs),
    count(usage.total),
    oneLine(lastAction, 40),
    oneLine(label ?? task, 50),
  ];
}

function leftRow({ id, stat, folder, dirty }: LeftAgentWork): string[] {
  const summary = stat.trim().split("\n").at(-1) ?? "";
  const where = folder === null ? "" : dirty ? `${folder} (holds what no branch does)` : folder;
  return [id, summary === "" ? "none on its branch" : summary.trim(), where];
}

function problemTable(problems: AgentsReport["problems"]): CommandBlock {
  return table(
    ["file", "problem"],
    problems.map(({ file, line, message }) => [line === undefined ? file : `${file}:${line}`, message]),
  );
}

function seconds(ms: number): string {
  const whole = Math.round(ms / 1_000);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
