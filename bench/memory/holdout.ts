import { readCommitRecall, runRepository } from "./commit-recall.ts";
import { ANSWERED, runConversation } from "./locomo.ts";
import { readLocomo } from "./locomo-data.ts";
import { meanScore, percent } from "./retrieval-metrics.ts";
import type { BenchStores } from "./stores.ts";

/** What vectors may count; the shipped weight is among them. */
const WEIGHTS = [0.2, 0.25, 0.3, 0.35, 0.4] as const;

/** Scores of one conversation or repository: how many of 100 gold rows are found with each weight. */
interface Part {
  readonly name: string;
  readonly questions: number;
  readonly found: readonly number[];
}

/**
 * What a weight that was chosen on all other conversations (or repositories) is worth on the one left out, beside the best that could have
 * been chosen with it in view: the difference is what tuning on the data at hand gains by itself.
 */
export async function reportHoldout(
  stores: BenchStores,
  locomo: string | undefined,
  commits: readonly string[],
): Promise<void> {
  if (locomo !== undefined) {
    const parts: Part[] = [];
    for (const conversation of readLocomo(locomo)) {
      const found: number[] = [];
      let questions = 0;
      for (const weight of WEIGHTS) {
        const answered = (await runConversation(stores, conversation, weight)).filter(
          ({ category }) => category <= ANSWERED,
        );
        questions = answered.length;
        found.push(meanScore(answered.map(({ turns }) => turns)).recall10);
      }
      parts.push({ name: conversation.id, questions, found });
    }
    print("LoCoMo turns R@10, each conversation left out", parts);
  }
  if (commits.length > 1) {
    const parts: Part[] = [];
    for (const path of commits) {
      const file = readCommitRecall(path);
      const found: number[] = [];
      for (const weight of WEIGHTS)
        found.push(meanScore((await runRepository(stores, file, weight)).scores).recall5);
      parts.push({ name: file.repo, questions: file.qa.length, found });
    }
    print("CommitRecall R@5, each repository left out", parts);
  }
}

function print(title: string, parts: readonly Part[]): void {
  process.stdout.write(`${title}\n`);
  let heldOut = 0;
  for (const part of parts) {
    const chosen = bestWeight(parts.filter((other) => other !== part));
    heldOut += part.found[chosen]! * part.questions;
    process.stdout.write(
      `  ${part.name.padEnd(28)} ${percent(part.found[chosen]!)} with ${WEIGHTS[chosen]} chosen on the others, ${percent(Math.max(...part.found))} at best\n`,
    );
  }
  const total = parts.reduce((sum, { questions }) => sum + questions, 0);
  const inView = weighted(parts, bestWeight(parts)) / total;
  process.stdout.write(
    `  all: ${percent(heldOut / total)} held out, ${percent(inView)} with all in view\n\n`,
  );
}

/** The place of the weight that finds most over all questions of these parts. */
function bestWeight(parts: readonly Part[]): number {
  const totals = WEIGHTS.map((_, weight) => weighted(parts, weight));
  return totals.indexOf(Math.max(...totals));
}

function weighted(parts: readonly Part[], weight: number): number {
  return parts.reduce((sum, { found, questions }) => sum + found[weight]! * questions, 0);
}
