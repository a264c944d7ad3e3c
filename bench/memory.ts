import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type BenchStores, STORES } from "./memory/stores.ts";
import { type Figure, printFigures } from "./report.ts";

/**
 * `node scripts/bun.mjs bench/memory.ts [--locomo FILE] [--commitrecall FILE ...] [--holdout] [--supersession] [--silence] [--speed [ROWS ...]]
 * [--identity] [--hygiene] [--concurrency] [--store sqlite|postgres|pglite] [--smoke] [--report]`: the memory engine through its public API.
 * Without words: everything that needs no file of others. `--holdout` reports, for the files that are named, what is left when each of them
 * had not been seen; it makes no figures. `--smoke` runs everything small: counts that must be 0 are judged, times are not. Ends with 1 when a
 * goal is missed, unless `--report` is given.
 */
const { tokens } = parseArgs({ args: process.argv.slice(2), strict: false, tokens: true });
const given = new Map<string, string[]>();
let last: string[] = [];
for (const token of tokens) {
  if (token.kind === "positional") last.push(token.value);
  if (token.kind !== "option") continue;
  last = given.get(token.name) ?? [];
  given.set(token.name, last);
  if (token.value !== undefined) last.push(token.value);
}

const SMOKE_ROWS = 500;
const smoke = given.delete("smoke");
const report = given.delete("report");
const holdout = given.delete("holdout");
const store = given.get("store")?.[0] ?? "sqlite";
given.delete("store");
const everything = given.size === 0;

/** The named data files that are there; a notice for each that is not: they are not part of this repository, and not everybody has them. */
function dataFiles(flag: "locomo" | "commitrecall"): string[] {
  const named = given.get(flag) ?? [];
  if (named.length === 0 && (everything || given.has(flag)))
    process.stdout.write(`--${flag} is left out: name its file, see docs/benchmarks.md\n\n`);
  return named.filter((path) => {
    const there = existsSync(path);
    if (!there) process.stdout.write(`--${flag} is left out: there is no file ${path}\n\n`);
    return there;
  });
}

interface Benchmark {
  readonly run: (stores: BenchStores) => Promise<Figure[]>;
  /** Its figures are times: a short run says nothing about them. */
  readonly timed?: true;
}

const [locomo] = dataFiles("locomo");
const commits = dataFiles("commitrecall");

/** By flag. A benchmark of another part of the engine is a line here and a file in `memory/`. */
const benchmarks: Readonly<Record<string, Benchmark>> = {
  locomo: {
    run: async (stores) =>
      locomo === undefined || holdout ? [] : (await import("./memory/locomo.ts")).benchLocomo(stores, locomo),
  },
  commitrecall: {
    run: async (stores) =>
      commits.length === 0 || holdout
        ? []
        : (await import("./memory/commit-recall.ts")).benchCommitRecall(stores, commits),
  },
  supersession: {
    run: async (stores) => (await import("./memory/supersession.ts")).benchSupersession(stores),
  },
  silence: { run: async (stores) => (await import("./memory/silence.ts")).benchSilence(stores) },
  identity: { run: async () => (await import("./memory/identity.ts")).benchIdentity() },
  hygiene: { run: async () => (await import("./memory/hygiene.ts")).benchHygiene(smoke ? 30 : 200) },
  concurrency: {
    run: async () => (await import("./memory/concurrency.ts")).benchConcurrency(smoke ? 10 : 100),
  },
  speed: {
    timed: true,
    run: async (stores) => {
      const { benchSpeed } = await import("./memory/speed.ts");
      const sizes = smoke ? [SMOKE_ROWS] : (given.get("speed") ?? []).map(Number);
      const found: Figure[] = [];
      for (const rows of sizes.length === 0 ? [10_000] : sizes)
        found.push(...(await benchSpeed(stores, rows)));
      return found;
    },
  },
};

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

for (const flag of given.keys())
  if (!Object.hasOwn(benchmarks, flag))
    refuse(`there is no benchmark --${flag}; there are: --${Object.keys(benchmarks).join(" --")}`);
const openStores = Object.hasOwn(STORES, store) ? STORES[store] : undefined;
if (openStores === undefined)
  refuse(`there is no store "${store}"; there are: ${Object.keys(STORES).join(", ")}`);

const figures: Figure[] = [];
let missed = 0;
{
  await using stores = await openStores();
  if (holdout) await (await import("./memory/holdout.ts")).reportHoldout(stores, locomo, commits);
  for (const [flag, { run, timed }] of Object.entries(benchmarks)) {
    if (everything ? holdout : !given.has(flag)) continue;
    const found = await run(stores);
    figures.push(...found);
    if (!smoke || timed !== true) missed += found.filter(({ met }) => !met).length;
  }
  if (figures.length > 0) {
    process.stdout.write(
      `${cpus().length} cores (${cpus()[0]?.model}), Bun ${Bun.version}, ${stores.name}${smoke ? ", SMOKE" : ""}\n\n`,
    );
    printFigures(figures);
  }
}
process.exitCode = missed > 0 && !report ? 1 : 0;
