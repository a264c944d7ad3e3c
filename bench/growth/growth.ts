/** `npm run bench -- growth [--only=history,tools]`: what one unit of work costs as a size grows, and whether that keeps its limit. */
import type { Figure } from "../report.ts";
import { growthFigures, printGrowths, writeGrowths } from "./growth-report.ts";
import { historyGrowth } from "./history.ts";
import { toolsGrowth } from "./mcp-tools.ts";
import { memoriesGrowth } from "./memories.ts";
import { subagentsGrowth } from "./parallel-subagents.ts";
import { repositoryGrowth } from "./repository.ts";
import type { Growth, GrowthShape } from "./series.ts";
import { extensionsGrowth } from "./small-extensions.ts";
import { sessionsGrowth } from "./stored-sessions.ts";

interface Subject {
  measure(shape: GrowthShape): Promise<Growth>;
  /** In geometric steps; 0 is measured where there can be none. */
  sizes: readonly number[];
  runs: number;
  /** Two sizes that show that it works. */
  smoke: readonly [number, number];
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  history: { measure: historyGrowth, sizes: [10, 38, 140, 530, 2_000], runs: 7, smoke: [2, 6] },
  repository: {
    measure: repositoryGrowth,
    sizes: [1_000, 3_200, 10_000, 32_000, 100_000],
    runs: 7,
    smoke: [20, 80],
  },
  tools: { measure: toolsGrowth, sizes: [0, 6, 25, 100, 400], runs: 11, smoke: [0, 8] },
  sessions: { measure: sessionsGrowth, sizes: [10, 62, 390, 2_400, 15_000], runs: 7, smoke: [10, 40] },
  memories: {
    measure: memoriesGrowth,
    sizes: [100, 560, 3_200, 18_000, 100_000],
    runs: 7,
    smoke: [100, 200],
  },
  // No more than five run at the same time.
  subagents: { measure: subagentsGrowth, sizes: [1, 2, 3, 4, 5], runs: 15, smoke: [1, 2] },
  extensions: { measure: extensionsGrowth, sizes: [0, 1, 2, 4, 8], runs: 11, smoke: [0, 2] },
};

const ONLY = "--only=";

/** Measures all subjects, or those of `--only=`; `--smoke` two small sizes once; `--write` renews their sections and plots in the documentation. */
export async function benchGrowth(words: readonly string[]): Promise<Figure[]> {
  const smoke = words.includes("--smoke");
  const names = subjectsOf(words);
  const growths: Growth[] = [];
  for (const name of names) {
    const { measure, sizes, runs, smoke: small } = SUBJECTS[name]!;
    process.stderr.write(`growth: ${name}\n`);
    growths.push(await measure(smoke ? { sizes: small, runs: 1 } : { sizes, runs }));
  }
  printGrowths(growths);
  if (words.includes("--write") && !smoke) writeGrowths(growths, Object.keys(SUBJECTS));
  return growthFigures(growths);
}

function subjectsOf(words: readonly string[]): readonly string[] {
  const chosen = words
    .filter((word) => word.startsWith(ONLY))
    .flatMap((word) => word.slice(ONLY.length).split(","));
  const unknown = chosen.find((name) => !Object.hasOwn(SUBJECTS, name));
  const known = Object.keys(SUBJECTS);
  if (unknown !== undefined)
    throw new Error(`growth has no part "${unknown}"; there are: ${known.join(", ")}`);
  return chosen.length === 0 ? known : known.filter((name) => chosen.includes(name));
}
