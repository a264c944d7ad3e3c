import type { AgentReport } from "../../contract/subagents.ts";
import type { Gate } from "../spec/parse-prompt.ts";
import type { CheckResult, RunReport } from "./run-ports.ts";
import { failureText, mendPrompt, reviewPrompt } from "./run-prompts.ts";
import { endOf, isLast, type SliceParts, WORKER } from "./slice-work.ts";
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
export interface WholeResult extends Pick<RunReport, "gates" | "review" | "repairs" | "usedUp"> {
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
    if (mended !== null) return { ...looked, ...mended, repairs: repairs + 1 };
  }
}

/** How a look at the whole ended; `final`: mending it would not help. */
interface Looked extends Omit<WholeResult, "repairs"> {
  final?: true;
}

async function lookAtWhole(parts: WholeParts): Promise<Looked> {
  const { gates, problem } = await runGates(parts);
  if (problem !== null || parts.signal.aborted) return { gates, review: null, problem, usedUp: false };
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

async function review(parts: WholeParts): Promise<Omit<Looked, "gates">> {
  const { spec, briefing, criteria, place, ports, signal } = parts;
  const diff = await place.diff();
  if (diff.text === "") return { review: null, problem: null, usedUp: false };
  const task = reviewPrompt(spec, { briefing, criteria, base: place.base, diff });
  const request = { agent: REVIEWER, task, worktree: false, label: `review of ${spec}` };
  let report: AgentReport | undefined;
  for (let count = 0; count < MOST_REVIEWERS && !signal.aborted; count++) {
    report = await endOf(await place.start(request), signal);
    if (report.state === "done" || isLast(report)) break;
  }
  if (report?.state !== "done") {
    const why =
      report?.reason ?? (report?.state === "cancelled" ? "the reviewer was stopped" : "it was stopped");
    const usedUp = report?.usedUp === true;
    return { review: null, problem: `The work could not be reviewed: ${why}.`, usedUp, final: true };
  }
  const said = verdictIn(report.text);
  ports.tell({ type: "review", ...said });
  const problem = said.verdict === "pass" ? null : `The reviewer said no:\n${said.reasons}`;
  return { review: said, problem, usedUp: false };
}

/** Has a worker mend the whole; why that failed, or null. */
async function mend(
  reason: string,
  parts: WholeParts,
): Promise<Pick<WholeResult, "problem" | "usedUp"> | null> {
  const { spec, briefing, place, journal, signal } = parts;
  const agent = await place.start({
    agent: WORKER,
    task: mendPrompt(spec, briefing, reason),
    worktree: true,
    label: `mends ${spec}`,
  });
  journal.append({ type: "repair", agent: agent.id });
  const report = await endOf(agent, signal);
  parts.keep(agent.id, report);
  if (signal.aborted) return null;
  if (isLast(report)) {
    const why = report.usedUp === true ? (report.reason ?? "") : `its worker ${agent.id} was stopped`;
    return { problem: `It was not mended: ${why}.\n${reason}`, usedUp: report.usedUp === true };
  }
  // What it did counts, however it ended: the gates tell.
  if (report.change === null) return null;
  const joined = await parts.alone(() => place.take(agent.id));
  if (joined.outcome !== "joined" && joined.outcome !== "nothing")
    return { problem: joined.message, usedUp: false };
  parts.keep(agent.id, { change: null });
  return null;
}
