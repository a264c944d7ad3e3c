import type { AgentReport } from "../../contract/subagents.ts";
import type { Gate } from "../spec/parse-prompt.ts";
import type { CheckResult, RunReport } from "./run-ports.ts";
import { failureText, mendPrompt, reviewPrompt } from "./run-prompts.ts";
import { endOf, type SliceParts, WORKER } from "./slice-work.ts";
import { verdictIn } from "./verdict.ts";

const REVIEWER = "reviewer";
/** A reviewer that fails (not: that says no) is replaced so often. */
const MOST_REVIEWERS = 2;

/** What the work on the whole needs. */
export interface WholeParts extends SliceParts {
  gates: readonly Gate[];
  criteria: string | null;
}

/** How the whole stands; `problem` null: gates and reviewer are content. */
export interface WholeResult extends Pick<RunReport, "gates" | "review" | "repairs"> {
  problem: string | null;
}

/** Runs the gates and has the whole reviewed, with a bounded number of repairs. Rejects with a PiError when that cannot be done. */
export async function settleWhole(parts: WholeParts): Promise<WholeResult> {
  for (let repairs = 0; ; repairs++) {
    const looked = await lookAtWhole(parts);
    if (looked.problem === null || parts.signal.aborted || repairs === parts.retries || looked.final)
      return { ...looked, repairs };
    parts.ports.tell({ type: "retry", attempt: repairs + 1, reason: looked.problem });
    const mended = await mend(looked.problem, parts);
    if (mended !== null) return { ...looked, problem: mended, repairs: repairs + 1 };
  }
}

async function lookAtWhole(parts: WholeParts): Promise<Omit<WholeResult, "repairs"> & { final?: true }> {
  const { gates, problem } = await runGates(parts);
  if (problem !== null || parts.signal.aborted) return { gates, review: null, problem };
  return { gates, ...(await review(parts)) };
}

/** In their order; the first that fails ends it. */
async function runGates({ gates, place, ports, signal }: WholeParts) {
  const results: CheckResult[] = [];
  for (const { name, command } of gates) {
    const end = await place.command(null, command, signal);
    if (signal.aborted) break;
    const { passed, how, durationMs } = end;
    results.push({ name, command, passed, how, durationMs });
    ports.tell({ type: "check", kind: "gate", name, passed, how, duration_ms: durationMs });
    if (!passed) return { gates: results, problem: failureText("gate", command, end) };
  }
  return { gates: results, problem: null };
}

async function review(
  parts: WholeParts,
): Promise<{ review: RunReport["review"]; problem: string | null; final?: true }> {
  const { spec, briefing, criteria, place, ports, signal } = parts;
  const diff = await place.diff();
  if (diff.text === "") return { review: null, problem: null };
  const task = reviewPrompt(spec, { briefing, criteria, base: place.base, diff });
  let report: AgentReport | undefined;
  for (let count = 0; count < MOST_REVIEWERS && report?.state !== "done" && !signal.aborted; count++)
    report = await endOf(await place.start({ agent: REVIEWER, task, worktree: false }), signal);
  if (report?.state !== "done") {
    const why = report?.reason ?? report?.state ?? "it was stopped";
    return { review: null, problem: `The work could not be reviewed: ${why}.`, final: true };
  }
  const said = verdictIn(report.text);
  ports.tell({ type: "review", ...said });
  return { review: said, problem: said.verdict === "pass" ? null : `The reviewer said no:\n${said.reasons}` };
}

/** Has a worker mend the whole; why that failed, or null. */
async function mend(reason: string, parts: WholeParts): Promise<string | null> {
  const { spec, briefing, place, journal, signal } = parts;
  const agent = await place.start({
    agent: WORKER,
    task: mendPrompt(spec, briefing, reason),
    worktree: true,
  });
  journal.append({ type: "repair", agent: agent.id });
  const report = await endOf(agent, signal);
  parts.keep(agent.id, report);
  // What it did count as: the gates tell.
  if (report.change === null || signal.aborted) return null;
  const joined = await parts.alone(() => place.take(agent.id));
  if (joined.outcome !== "joined" && joined.outcome !== "nothing") return joined.message;
  parts.keep(agent.id, { change: null });
  return null;
}
