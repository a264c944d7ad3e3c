import { cpus } from "node:os";
import { benchCommitRecall } from "./memory/commit-recall.ts";
import { benchLocomo } from "./memory/locomo.ts";
import { benchSilence } from "./memory/silence.ts";
import { benchSpeed } from "./memory/speed.ts";
import { benchSupersession } from "./memory/supersession.ts";
import { type Figure, printFigures } from "./report.ts";

/**
 * `node scripts/bun.mjs bench/memory.ts [--locomo FILE] [--commitrecall FILE ...] [--supersession] [--silence] [--speed [ROWS]]`:
 * the memory engine through its public API. Without words: everything that needs no file of others.
 */
const argv = process.argv.slice(2);
const valuesOf = (flag: string): string[] | undefined => {
  const start = argv.indexOf(flag);
  if (start < 0) return undefined;
  const rest = argv.slice(start + 1);
  const end = rest.findIndex((word) => word.startsWith("--"));
  return end < 0 ? rest : rest.slice(0, end);
};
const SEARCH_GOAL_MS: Readonly<Record<number, number>> = { 10000: 20, 100000: 60 };

const figures: Figure[] = [];
const locomo = valuesOf("--locomo");
const commits = valuesOf("--commitrecall");
const speed = valuesOf("--speed");
const everything = argv.length === 0;
if (locomo?.[0] === undefined && commits?.[0] === undefined && everything)
  process.stdout.write(
    "LoCoMo and CommitRecall are left out: name their files with --locomo and --commitrecall\n\n",
  );
if (locomo?.[0] !== undefined) figures.push(...(await benchLocomo(locomo[0])));
if (commits !== undefined && commits.length > 0) figures.push(...(await benchCommitRecall(commits)));
if (everything || argv.includes("--supersession")) figures.push(...(await benchSupersession()));
if (everything || argv.includes("--silence")) figures.push(...(await benchSilence()));
if (everything || speed !== undefined) {
  const rows = Number(speed?.[0] ?? 10_000);
  figures.push(...(await benchSpeed(rows, SEARCH_GOAL_MS[rows] ?? 60)));
}
process.stdout.write(`${cpus().length} cores (${cpus()[0]?.model}), Bun ${Bun.version}\n\n`);
printFigures(figures);
