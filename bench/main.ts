import { cpus } from "node:os";
import { benchLoop } from "./loop.ts";
import { type Figure, printFigures } from "./report.ts";
import { benchResume } from "./resume.ts";
import { benchSearch } from "./search.ts";
import { benchSessions } from "./sessions.ts";
import { benchStart } from "./start.ts";
import { benchTerminal } from "./terminal/terminal.ts";

/**
 * `npm run bench [-- --smoke] [-- start loop resume sessions search terminal]`: whole-process medians on the built executable. `--smoke` runs
 * everything once, small, to see that it works; its figures mean nothing.
 */
const words = process.argv.slice(2);
const smoke = words.includes("--smoke");
const chosen = words.filter((word) => !word.startsWith("--"));
const runs = smoke ? 1 : 7;
const benchmarks: Readonly<Record<string, () => Promise<Figure[]>>> = {
  start: () => benchStart(smoke ? 1 : 15),
  loop: () => benchLoop(runs, smoke ? 3 : 50),
  resume: () => benchResume(runs, smoke ? 500 : 20_000),
  sessions: () =>
    benchSessions(
      smoke
        ? { runs: 1, sessions: 200, searched: 2_000_000, events: 500 }
        : { runs: 5, sessions: 15_000, searched: 1_000_000_000, events: 200_000 },
    ),
  search: () => benchSearch(smoke ? 1 : 5, smoke ? 500 : 100_000),
  terminal: () => benchTerminal(smoke),
};

for (const name of chosen)
  if (!Object.hasOwn(benchmarks, name)) {
    process.stderr.write(
      `there is no benchmark "${name}"; there are: ${Object.keys(benchmarks).join(", ")}\n`,
    );
    process.exit(2);
  }

const figures: Figure[] = [];
for (const [name, run] of Object.entries(benchmarks))
  if (chosen.length === 0 || chosen.includes(name)) figures.push(...(await run()));
process.stdout.write(
  `${cpus().length} cores (${cpus()[0]?.model}), Bun ${Bun.version}, ${runs} runs${smoke ? ", SMOKE" : ""}\n\n`,
);
printFigures(figures);
