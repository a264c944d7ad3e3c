import { errorMessage } from "../../contract/errors.ts";
import type { AgentReport, AgentRequest } from "../../contract/subagents.ts";
import type { Slice } from "../spec/parse-plan.ts";
import type { RunJournal } from "./journal.ts";
import type { RunPlace, RunPorts, SliceResult } from "./run-ports.ts";
import { failureText, repairPrompt, slicePrompt } from "./run-prompts.ts";

/** The type of subagent that works on slices. */
export const WORKER = "task";

/** What the work on one slice needs. */
export interface SliceParts {
  spec: string;
  briefing: string;
  /** How often a worker is told to mend it. */
  retries: number;
  place: RunPlace;
  journal: RunJournal;
  ports: Pick<RunPorts, "clock" | "tell">;
  /** Only one change at a time is put into the copy. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** A worker has ended: its change, if any, is on its own branch and nowhere else. */
  keep(agent: string, report: Pick<AgentReport, "change">): void;
  signal: AbortSignal;
}

/** Has a slice done: a worker, its verify commands, repairs, and its change in the copy. Never rejects. */
export async function workOnSlice(slice: Slice, parts: SliceParts): Promise<SliceResult> {
  const { ports, signal } = parts;
  const begun = ports.clock.now();
  const result = (outcome: SliceResult["outcome"], attempts: number, more: Partial<SliceResult> = {}) => ({
    number: slice.number,
    title: slice.title,
    outcome,
    attempts,
    durationMs: ports.clock.now() - begun,
    ...more,
  });
  let reason = "";
  let request = first(slice, parts, null);
  for (let attempt = 1; attempt <= parts.retries + 1; attempt++) {
    try {
      const tried = await tryOnce(slice, request, attempt, parts, (agent) => {
        const done = result("done", attempt, { agent });
        parts.journal.append({ type: "slice", result: done });
        return done;
      });
      if (tried.done !== null) return tried.done;
      if (signal.aborted) return result("stopped", attempt);
      reason = tried.problem;
      if (tried.last) return result("failed", attempt, { reason, ...usedUpIn(tried.report) });
      request = again(slice, tried, parts);
    } catch (thrown) {
      if (signal.aborted) return result("stopped", attempt);
      return result("failed", attempt, { reason: errorMessage(thrown) });
    }
    if (attempt <= parts.retries) ports.tell({ type: "retry", slice: slice.number, attempt, reason });
  }
  return result("failed", parts.retries + 1, { reason });
}

interface Tried {
  report: AgentReport;
  /** The slice is in the copy, and that is written down; null: it is not, for `problem`. */
  done: SliceResult | null;
  problem: string;
  /** Nobody is to try it again: a person stopped the worker, or the day's tokens are used up. */
  last: boolean;
  /** Its change clashes with what is in the copy by now: it has to begin there anew. */
  clash: boolean;
}

async function tryOnce(
  slice: Slice,
  request: AgentRequest,
  attempt: number,
  parts: SliceParts,
  record: (agent: string) => SliceResult,
): Promise<Tried> {
  const { place, journal, ports, signal } = parts;
  const { number, title } = slice;
  const agent = await place.start(request);
  const { id } = agent;
  journal.append({ type: "worker", slice: number, agent: id });
  ports.tell({ type: "slice_begin", slice: number, title, attempt, agent: id });
  const report = await endOf(agent, signal);
  parts.keep(id, report);
  const not = (problem: string, clash = false): Tried => ({
    report,
    done: null,
    problem,
    last: isLast(report),
    clash,
  });
  if (report.state !== "done")
    return not(
      `The worker ended without being done (${report.state}): ${report.reason ?? "no reason is known"}.`,
    );
  const proven = () => verify(slice, report, parts);
  const problem = report.change === null ? await parts.alone(proven) : await proven();
  if (problem !== null || signal.aborted) return not(problem ?? "");
  return await parts.alone(async () => {
    if (report.change !== null) {
      journal.append({ type: "taking", slice: number, title, agent: id, head: await place.head() });
      const joined = await place.take(id);
      if (joined.outcome !== "joined" && joined.outcome !== "nothing")
        return not(joined.message, joined.outcome === "conflict");
      parts.keep(id, { change: null });
    }
    // Before anybody else's change is taken: a record of that one would hide that this one was.
    return { report, done: record(id), problem: "", last: false, clash: false };
  });
}

/** Whether another subagent in its place would be against somebody's will, or end in the same way. */
export function isLast({ state, usedUp }: Pick<AgentReport, "state" | "usedUp">): boolean {
  return state === "cancelled" || usedUp === true;
}

/** The part of a result that tells of used-up tokens. */
export function usedUpIn({ usedUp }: Pick<AgentReport, "usedUp">): { usedUp?: true } {
  return usedUp === true ? { usedUp } : {};
}

/** The end of a subagent, which an abort brings about. */
export async function endOf(
  agent: Awaited<ReturnType<RunPlace["start"]>>,
  signal: AbortSignal,
): Promise<AgentReport> {
  const stop = () => void agent.stop();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await agent.ended;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Runs the verify commands where the worker left its change; what failed, or null. */
async function verify(slice: Slice, report: AgentReport, parts: SliceParts): Promise<string | null> {
  for (const command of slice.verify) {
    const end = await parts.place.command(report.change === null ? null : report, command, parts.signal);
    if (parts.signal.aborted) return null;
    const { passed, how, durationMs } = end;
    const facts = { passed, how, duration_ms: durationMs };
    parts.ports.tell({ type: "check", kind: "verify", slice: slice.number, name: command, ...facts });
    if (!passed) return failureText("verify command", command, end);
  }
  return null;
}

function first(slice: Slice, { spec, briefing }: SliceParts, earlier: string | null): AgentRequest {
  const task = slicePrompt(spec, briefing, slice, earlier);
  return { agent: WORKER, task, worktree: true, label: labelOf(slice) };
}

function labelOf({ number, title }: Slice): string {
  return `slice ${number}: ${title}`;
}

/** The same worker goes on where it can; else a new one begins, and is told what came of the one before. */
function again(slice: Slice, { report, problem: reason, clash }: Tried, parts: SliceParts): AgentRequest {
  const left = report.change === null ? "" : ` What it changed is on the branch ${report.change.branch}.`;
  if (clash)
    return first(
      slice,
      parts,
      `An earlier worker did this on an older state of the project, and its change clashes with what is there now: ${reason}${left} Look at it with git diff, and do the slice on the project as it is now.`,
    );
  if (report.session === null || !parts.place.resumes)
    return first(slice, parts, `An earlier worker did not get it done. ${reason}${left}`);
  return { agent: WORKER, task: repairPrompt(reason), resume: report.id, label: labelOf(slice) };
}
