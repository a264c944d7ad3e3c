import type { JsonObject } from "../../contract/json.ts";
import type { AgentReport } from "../../contract/subagents.ts";
import type { SpillDoor } from "../../contract/tool.ts";
import { formatCount } from "../../platform/format-count.ts";

/** Characters of one answer that a model is given; the rest is in a file. */
const MOST_ANSWER = 30_000;
/** Of a cut answer the beginning gets this share: it usually says most. */
const HEAD_SHARE = 0.7;

const WORDS: Readonly<Record<AgentReport["state"], string>> = {
  waiting: "waits for a place",
  running: "is running",
  done: "is done",
  failed: "failed",
  timed_out: "timed out",
  killed: "was killed",
  cancelled: "was cancelled",
};

/** How a subagent ended, for the model that started it: one line of state, its answer, and what became of its change. */
export function resultText(report: AgentReport, spill: SpillDoor): string {
  const { id, state, reason, text, stderr, notes, turns, usage, durationMs } = report;
  const why = reason === null ? "" : `: ${reason}`;
  const size = `${Math.round(durationMs / 1_000)} s, ${turns} model calls, ${formatCount(usage.total)} tokens`;
  const parts = [`[${id} ${WORDS[state]}${why} (${size})]`];
  if (state !== "done" && stderr !== "") parts.push(`The end of its stderr:\n${stderr}`);
  if (text !== "")
    parts.push(
      state === "done" ? shortened(text, id, spill) : `What it had said:\n${shortened(text, id, spill)}`,
    );
  parts.push(...notes.map((note) => `[${note}]`), ...changeText(report));
  return parts.join("\n\n");
}

function changeText({ id, change }: AgentReport): string[] {
  if (change === null) return [];
  const { branch, stat, folder } = change;
  if (stat === "" && folder !== null)
    return [`[It changed nothing that git keeps; files that git ignores are left in ${folder}.]`];
  const left = folder === null ? "" : ` Ignored files are left in ${folder}.`;
  return [
    `[What it changed is on the branch ${branch} and not in the project yet; agent {"resume": "${id}", "apply": true} brings it in.${left}]\n${stat}`,
  ];
}

/** The documented fields of one result. */
export function resultDetails(report: AgentReport): JsonObject {
  const { id, type, state, text, reason, durationMs, session, change, turns, usage } = report;
  return {
    agent: type,
    agent_id: id,
    status: state,
    result: text.length > MOST_ANSWER ? `${text.slice(0, MOST_ANSWER).toWellFormed()}…` : text,
    ...(reason === null ? {} : { error: reason }),
    duration: durationMs,
    turns,
    usage: { ...usage },
    ...(session === null ? {} : { session_id: session }),
    ...(change === null ? {} : { branch: change.branch, diff_stat: change.stat }),
  };
}

function shortened(text: string, id: string, spill: SpillDoor): string {
  if (text.length <= MOST_ANSWER) return text;
  const file = spill.open(id);
  const bytes = new TextEncoder().encode(text);
  file?.write(bytes);
  file?.close();
  const whole =
    file === null || file.dropped > 0 ? "the rest could not be kept" : `all of it is in ${file.path}`;
  const head = text.slice(0, MOST_ANSWER * HEAD_SHARE).toWellFormed();
  const tail = text.slice(-MOST_ANSWER * (1 - HEAD_SHARE)).toWellFormed();
  const left = formatCount(text.length - head.length - tail.length);
  return `${head}\n[… ${left} of ${formatCount(text.length)} characters left out; ${whole} …]\n${tail}`;
}
