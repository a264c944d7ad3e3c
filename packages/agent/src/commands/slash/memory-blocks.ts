import type { CommandBlock } from "../../contract/command.ts";
import type { SlashOutcome } from "../../contract/slash-command.ts";
import type {
  CaptureFigures,
  ListedMemory,
  MemoryExplanation,
  MemoryPorts,
  MemoryReport,
  ShownMemory,
} from "./memory-ports.ts";
import { age, count, counted, moment, oneLine } from "./shared/format.ts";
import { said, table, text } from "./shared/outcome.ts";

const LINE = 90;

/** Memories as a table; `none` is said when there are none. */
export function listed(memories: readonly ListedMemory[], now: number, none: string): SlashOutcome {
  if (memories.length === 0) return said(none);
  return { blocks: [memoryTable(memories, now)] };
}

/** The rows of some memories. */
export function memoryTable(memories: readonly ListedMemory[], now: number): CommandBlock {
  return table(
    ["id", "kind", "by", "said", "memory"],
    memories.map((one) => [
      one.shortId,
      kindOf(one),
      authorOf(one),
      age(one.at, now),
      oneLine(one.line, LINE),
    ]),
  );
}

function kindOf({ kind, state, pinned }: ListedMemory): string {
  return [kind, ...(state === "active" ? [] : [state]), ...(pinned ? ["pinned"] : [])].join(", ");
}

function authorOf({ by, typed }: ListedMemory): string {
  return typed ? `${by} (typed)` : by;
}

/** One memory whole. */
export function shown(one: ShownMemory): SlashOutcome {
  const facts: [string, string | undefined][] = [
    ["id", one.id],
    ["kind", kindOf(one)],
    ["said", `${moment(one.at)} by ${authorOf(one)}`],
    ["holds", one.scope],
    ["from", `${one.host}, session ${one.sessionId}`],
    ["about", one.subject],
    ["files", one.files.length === 0 ? undefined : one.files.join(", ")],
    ["replaced by", one.supersededBy],
  ];
  const rows = facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { blocks: [table([], rows), text(one.text)] };
}

const STATES: Readonly<Record<MemoryReport["state"], string>> = {
  ready: "on",
  absent: "on, nothing is stored yet",
  off: "off by the engine's own settings",
  unavailable: "on, but the store cannot be opened: work goes on without it",
  opening: "on, the store is being opened",
  closed: "closed",
};

/** How memory is. */
export async function stand({ memory }: MemoryPorts): Promise<SlashOutcome> {
  const report = await memory.report();
  if (!report.enabled)
    return said(
      `Memory is off: nothing is remembered and nothing recalled. What is stored is in ${report.file}; /memory on switches it on.`,
    );
  const { limits, capture, declared, spent } = report;
  const recall = declared
    ? `up to ${count(limits.start)} tokens at the start (of the last ${count(limits.lookbackHours)} hours), ${count(limits.prompt)} with a prompt`
    : "not in this conversation: nothing was remembered here when it began";
  const rows = [
    ["memory", STATES[report.state]],
    ["file", report.file],
    ["recalled", recall],
    ["kept", captured(capture)],
    ...(spent > 0 ? [["compression", `${count(spent)} tokens in this program`]] : []),
  ];
  const stores = report.stores.map(({ id, health, memories, candidates, sessions, vectors }) => [
    id,
    health,
    count(memories),
    count(candidates),
    count(sessions),
    `${count(vectors)} of ${count(memories)}`,
  ]);
  return {
    blocks: [
      table([], rows),
      ...(stores.length === 0
        ? []
        : [table(["store", "", "memories", "to review", "sessions", "with a vector"], stores)]),
      text("/memory off switches it off; /memory recent shows what is there."),
    ],
  };
}

function captured(capture: CaptureFigures): string {
  if (!capture.enabled) return "nothing of this run";
  const { stored, pending, joined, dropped, excluded, redacted, blocked } = capture;
  const reasons = Object.entries(excluded).map(([reason, times]) => `${count(times)} by rule (${reason})`);
  const hidden = Object.values(redacted).reduce((sum, times) => sum + times, 0);
  return [
    `${counted(stored, "piece")} in this program`,
    ...(pending > 0 ? [`${count(pending)} waiting`] : []),
    ...(joined > 0 ? [`${count(joined)} known already`] : []),
    ...(dropped > 0 ? [`${count(dropped)} dropped, too much at once`] : []),
    ...(reasons.length > 0 ? [`left out: ${reasons.join(", ")}`] : []),
    ...(hidden > 0 ? [`${counted(hidden, "span")} redacted`] : []),
    ...(blocked === undefined ? [] : [`the store does not take it now (${blocked})`]),
  ].join("; ");
}

const DECISIONS: Readonly<Record<string, string>> = {
  injected: "memories were put before the model",
  nothing_found: "nothing was found",
  not_relevant: "what was found says too little about it",
  off: "memory was not asked",
  failed: "memory could not be asked",
  listed: "memories were listed for the model's tool",
};
const FATES: Readonly<Record<string, string>> = {
  injected: "shown",
  listed: "listed",
  over_budget: "no room",
  below_share: "far behind the best",
  duplicate: "the same as another",
};

/** Why the last prompt came with these memories or with none, and what became of what was said. */
export function explained({ recall, kept }: MemoryExplanation): SlashOutcome {
  const blocks: CommandBlock[] = [];
  if (recall === null) blocks.push(text("Nothing was asked of memory in this conversation yet."));
  else {
    const { kind, decision, prompt, tokens, budget, milliseconds, relevance, attempts, hits } = recall;
    const rows = [
      ["asked", kind === "start" ? "for the start of the session" : `${kind}: ${oneLine(prompt, LINE)}`],
      ["decision", DECISIONS[decision] ?? decision],
      ["tokens", `${count(tokens)} of ${count(budget)}`],
      ["relevance", relevance.toFixed(2)],
      ["took", `${Math.round(milliseconds)} ms`],
      ...attempts
        .filter(({ outcome }) => outcome !== "ok")
        .map(({ provider, outcome }) => [provider, `gave nothing: ${outcome.replaceAll("_", " ")}`]),
    ];
    blocks.push(table([], rows));
    if (hits.length > 0)
      blocks.push(
        table(
          ["id", "", "score", "memory"],
          hits.map(({ shortId, fate, score, line }) => [
            shortId,
            FATES[fate] ?? fate,
            score.toFixed(2),
            oneLine(line, LINE),
          ]),
        ),
      );
  }
  if (kept.length > 0)
    blocks.push(
      table(
        ["of this conversation", "became", "because"],
        kept.map(({ kind, outcome, reason }) => [kind, outcome, reason]),
      ),
    );
  return { blocks };
}
