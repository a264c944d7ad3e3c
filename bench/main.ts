import { cpus } from "node:os";
import { benchAppend } from "./append.ts";
import { benchExtensions } from "./extensions.ts";
import { benchGrowth } from "./growth/growth.ts";
import { benchHosts } from "./hosts.ts";
import { benchLoop } from "./loop.ts";
import { benchLsp } from "./lsp.ts";
import { benchMcp } from "./mcp.ts";
import { benchMemoryStart } from "./memory-start.ts";
import { type Figure, printFigures } from "./report.ts";
import { benchResume } from "./resume.ts";
import { benchSearch } from "./search.ts";
import { benchSessions } from "./sessions.ts";
import { benchSoak } from "./soak.ts";
import { benchStart } from "./start.ts";
import { benchSubagents } from "./subagents.ts";
import { benchTerminal } from "./terminal/terminal.ts";

/**
 * `npm run bench [-- --smoke] [-- start memory-start loop resume sessions append search terminal mcp extensions lsp subagents soak growth hosts]`: whole-process medians on the built executable. `--smoke` runs
 * everything once, small, to see that it works; its figures mean nothing. `--peers` measures other agents, too ([peers/](./peers)).
 */
const words = process.argv.slice(2);
const smoke = words.includes("--smoke");
const chosen = words.filter((word) => !word.startsWith("--"));
const runs = smoke ? 1 : 7;
const benchmarks: Readonly<Record<string, () => Promise<Figure[]>>> = {
  start: () => benchStart(smoke ? 1 : 15),
  "memory-start": () => benchMemoryStart(smoke ? 1 : 30),
  loop: () => benchLoop(runs, smoke ? 3 : 50),
  resume: () => benchResume(runs, smoke ? 500 : 20_000),
  sessions: () =>
    benchSessions(
      smoke
        ? { runs: 1, sessions: 200, searched: 2_000_000, events: 500 }
        : { runs: 5, sessions: 15_000, searched: 1_000_000_000, events: 200_000 },
    ),
  append: () => benchAppend(runs, smoke ? { short: 300, long: 600 } : { short: 2_000, long: 200_000 }),
  search: () => benchSearch(smoke ? 1 : 5, smoke ? 500 : 100_000),
  terminal: () => benchTerminal(smoke),
  mcp: () => benchMcp(smoke ? 1 : 11),
  extensions: () => benchExtensions(smoke ? 1 : 9),
  lsp: () => benchLsp(smoke ? 3 : 40),
  subagents: () => benchSubagents(smoke ? 1 : 9),
  soak: () => benchSoak(smoke ? 20 : 600),
  growth: () => benchGrowth(words),
  hosts: () => benchHosts(smoke ? 1 : 15, smoke ? 500 : 10_000),
};

for (const name of chosen)
  if (!Object.hasOwn(benchmarks, name)) {
    process.stderr.write(
      `there is no benchmark "${name}"; there are: ${Object.keys(benchmarks).join(", ")}\n`,
    );
    process.exit(2);
  }

if (words.includes("--peers")) {
  const { peersMain } = await import("./peers/peers-main.ts");
  await peersMain(words);
  process.exit(0);
}

const figures: Figure[] = [];
for (const [name, run] of Object.entries(benchmarks))
  if (chosen.length === 0 || chosen.includes(name)) figures.push(...(await run()));
process.stdout.write(
  `${cpus().length} cores (${cpus()[0]?.model}), Bun ${Bun.version}, ${runs} runs${smoke ? ", SMOKE" : ""}\n\n`,
);
printFigures(figures);
