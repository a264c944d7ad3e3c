import type { MemoryEngine } from "../../packages/remem/src/core/engine.ts";
import { estimateTokens } from "../../packages/remem/src/core/text/estimate-tokens.ts";
import type { Figure } from "../report.ts";
import { type Conversation, type Question, readLocomo } from "./locomo-data.ts";
import { openEngine } from "./open-engine.ts";
import { meanScore, percent, type RetrievalScore, scoreRanking } from "./retrieval-metrics.ts";
import type { BenchStores } from "./stores.ts";

/** Categories above ask for what was never said. */
export const ANSWERED = 4;
const BUDGETS = [256, 512, 1024, 2048] as const;
const DEPTH = 100;

export interface Outcome {
  conversation: string;
  category: number;
  turns: RetrievalScore;
  sessions: RetrievalScore;
  /** Share of the evidence among the first turns that fit in each budget. */
  withinBudget: number[];
  milliseconds: number;
}

/** Retrieval of dialogue turns and sessions, each conversation a store of its own, as in the papers. */
export async function benchLocomo(stores: BenchStores, path: string): Promise<Figure[]> {
  const conversations = readLocomo(path);
  const outcomes: Outcome[] = [];
  for (const conversation of conversations) outcomes.push(...(await runConversation(stores, conversation)));
  const answered = outcomes.filter((outcome) => outcome.category <= ANSWERED);
  report(conversations, outcomes, answered);
  return figures(conversations, outcomes, answered);
}

/** Every question of a conversation, asked in a store that holds this conversation only. */
export async function runConversation(
  stores: BenchStores,
  conversation: Conversation,
  vectorWeight?: number,
): Promise<Outcome[]> {
  await using opened = await openEngine(stores.openNew(), vectorWeight);
  const { engine } = opened;
  const scope = { kind: "project", id: conversation.id } as const;
  const added = await engine.remember(
    conversation.turns.map((turn) => ({
      kind: "prompt",
      scope,
      text: turn.text,
      attachment: turn.caption,
      at: turn.at,
      provenance: {
        host: "bench",
        sessionId: `${conversation.id}/${turn.session}`,
        messageId: turn.id,
        author: { role: "user", name: turn.speaker },
        typed: true,
      },
    })),
  );
  const bySession = new Map(conversation.turns.map((turn) => [turn.id, turn.session]));
  if (added.length !== conversation.turns.length || added.some(({ outcome }) => outcome !== "added"))
    throw new Error(`${conversation.id}: a turn was not stored`);
  const outcomes: Outcome[] = [];
  for (const question of conversation.questions)
    outcomes.push(await ask(engine, conversation.id, question, bySession, scope));
  return outcomes;
}

async function ask(
  engine: MemoryEngine,
  conversation: string,
  question: Question,
  sessionOf: ReadonlyMap<string, number>,
  scope: { kind: "project"; id: string },
): Promise<Outcome> {
  const started = performance.now();
  const { hits } = await engine.search(question.text, { scopes: [scope], limit: DEPTH });
  const milliseconds = performance.now() - started;
  const ranking = hits.map(({ record }) => record.provenance.messageId ?? "");
  const sessions = await engine.searchSessions(question.text, { scopes: [scope], limit: 10 });
  const wantedSessions = new Set([...question.evidence].map((id) => `${conversation}/${sessionOf.get(id)}`));
  const withinBudget = BUDGETS.map((budget) => {
    let used = 0;
    let found = 0;
    for (const { record } of hits) {
      used += estimateTokens(`${record.provenance.author.name}: ${record.text} ${record.attachment}`);
      if (used > budget) break;
      if (question.evidence.has(record.provenance.messageId ?? "")) found++;
    }
    return found / question.evidence.size;
  });
  return {
    conversation,
    category: question.category,
    turns: scoreRanking(ranking, question.evidence),
    sessions: scoreRanking(
      sessions.map(({ sessionId }) => sessionId),
      wantedSessions,
    ),
    withinBudget,
    milliseconds,
  };
}

function report(
  conversations: readonly Conversation[],
  outcomes: readonly Outcome[],
  answered: readonly Outcome[],
): void {
  const line = (name: string, chosen: readonly Outcome[]): void => {
    const { recall5, recall10, reciprocalRank } = meanScore(chosen.map(({ turns }) => turns));
    process.stdout.write(
      `  ${name.padEnd(16)} ${String(chosen.length).padStart(4)} questions  R@5 ${percent(recall5)}  R@10 ${percent(recall10)}  MRR ${percent(reciprocalRank)}\n`,
    );
  };
  process.stdout.write(`LoCoMo, ${conversations.length} conversations, turns\n`);
  for (const { id } of conversations)
    line(
      id,
      answered.filter((outcome) => outcome.conversation === id),
    );
  for (const [category, name] of [
    "",
    "several hops",
    "time",
    "open domain",
    "one hop",
    "adversarial",
  ].entries())
    if (category > 0)
      line(
        name,
        outcomes.filter((outcome) => outcome.category === category),
      );
  line("all, 1 to 4", answered);
  const times = answered.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  process.stdout.write(
    `  evidence within ${BUDGETS.join(" / ")} tokens: ${BUDGETS.map((_, index) => percent(budgetShare(answered, index))).join(" / ")}; ` +
      `search p50 ${times[times.length >> 1]?.toFixed(2)} ms, p95 ${times[Math.floor(times.length * 0.95)]?.toFixed(2)} ms\n\n`,
  );
}

function figures(
  conversations: readonly Conversation[],
  outcomes: readonly Outcome[],
  answered: readonly Outcome[],
): Figure[] {
  const turns = meanScore(answered.map((outcome) => outcome.turns));
  // Questions without evidence count as found, as in the figures this is compared with.
  const skipped = conversations.reduce((sum, { withoutEvidence }) => sum + withoutEvidence, 0);
  const sessions = meanScore([
    ...outcomes.map((outcome) => outcome.sessions),
    ...new Array<RetrievalScore>(skipped).fill({ recall5: 1, recall10: 1, reciprocalRank: 1 }),
  ]);
  const figure = (name: string, share: number, goal: number, beside: string): Figure => ({
    name,
    value: percent(share),
    beside,
    goal: `≥ ${goal}`,
    met: 100 * share >= goal,
  });
  return [
    figure("LoCoMo turns R@10", turns.recall10, 82, "FTS5 alone 58.6"),
    figure("LoCoMo turns R@5", turns.recall5, 74, "FTS5 alone 51.0"),
    figure("LoCoMo turns MRR", turns.reciprocalRank, 64, "FTS5 alone 44.1"),
    figure("LoCoMo sessions R@10", sessions.recall10, 96, "MemPalace 88.9"),
    figure("LoCoMo evidence within 1,024 tokens", budgetShare(answered, 2), 87, ""),
  ];
}

function budgetShare(outcomes: readonly Outcome[], budget: number): number {
  return outcomes.reduce((sum, { withinBudget }) => sum + withinBudget[budget]!, 0) / outcomes.length;
}
