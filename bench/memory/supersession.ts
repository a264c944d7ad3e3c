import type { Figure } from "../report.ts";
import { openEngine } from "./open-engine.ts";
import { factChains, factMemories } from "./project-facts.ts";
import { percent } from "./retrieval-metrics.ts";
import type { BenchStores } from "./stores.ts";

const SEED = 7;
const HISTORY_DEPTH = 5;

/** Facts that changed: the one that holds must come first, and the ones that held must still be found when asked for. */
export async function benchSupersession(stores: BenchStores): Promise<Figure[]> {
  await using opened = await openEngine(stores.openNew());
  const { engine } = opened;
  const scope = { kind: "project", id: "shop" } as const;
  const chains = factChains(SEED);
  await engine.remember(factMemories(chains, scope, true));
  let current = 0;
  let history = 0;
  for (const { question, historyQuestion, statements } of chains) {
    const now = await engine.search(question, { scopes: [scope], limit: 1 });
    if (now.hits[0]?.record.text === statements.at(-1)) current++;
    const then = await engine.search(historyQuestion, { scopes: [scope], limit: HISTORY_DEPTH });
    const old = new Set(statements.slice(0, -1));
    if (then.hits.some(({ record }) => old.has(record.text))) history++;
  }
  return [
    {
      name: "supersession, the current fact first",
      value: percent(current / chains.length),
      beside: `${chains.length} chains`,
      goal: "≥ 95",
      met: current / chains.length >= 0.95,
    },
    {
      name: `supersession, an old fact among ${HISTORY_DEPTH} when asked for`,
      value: percent(history / chains.length),
      beside: `${chains.length} chains`,
      goal: "≥ 95",
      met: history / chains.length >= 0.95,
    },
  ];
}
