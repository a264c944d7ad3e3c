/** `npm run bench -- --peers`: pi beside its peers, on the same scripted work in one run. Prints Markdown; with `--write` the tables and plots of docs/benchmarks.md are renewed. */
import { benchPeers } from "./peers.ts";
import { printPeers } from "./peers-report.ts";

/** Runs everything; `smoke` once and small, to see that it works. */
export async function peersMain(words: readonly string[]): Promise<void> {
  const smoke = words.includes("--smoke");
  const size = smoke ? { runs: 1, short: 2, long: 4, keys: 5 } : { runs: 5, short: 50, long: 200, keys: 60 };
  const report = await benchPeers(size, (line) => process.stderr.write(`${line}\n`));
  await printPeers(report, size, words.includes("--write") && !smoke);
}
