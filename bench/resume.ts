import { workspace } from "@pi-ts/testkit";
import { compare, median, runOnce } from "./measure.ts";
import { type Figure, ms, times } from "./report.ts";
import { benchService } from "./service.ts";
import { writeSession } from "./session-log.ts";
import { MODEL, piCommand } from "./subject.ts";

const ID = "20260101-000000-bench0";

/** `pi --session` on a log of many events of which the newest part is in view, beside a fresh one-shot. */
export async function benchResume(runs: number, events: number): Promise<Figure[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  await using service = await benchService();
  const costs = await compare(runs, {
    resume: () => {
      // A summary near its end stands for what came before, as it would after that much work.
      writeSession(space, ID, { messages: events, summaryAt: events - 200 });
      return runOnce(piCommand(space, service.url, [...MODEL, "--session", ID, "-p", "hi"]));
    },
    fresh: () => runOnce(piCommand(space, service.url, [...MODEL, "-p", "hi"])),
  });
  const resume = median(costs["resume"]!.map((cost) => cost.wallMs));
  const fresh = median(costs["fresh"]!.map((cost) => cost.wallMs));
  const peak = median(costs["resume"]!.map((cost) => cost.peakMiB));
  return [
    {
      name: `resume of ${events} events`,
      value: `${ms(resume)} = ${times(resume / fresh)}, ${peak.toFixed(0)} MiB`,
      beside: `fresh one-shot: ${ms(fresh)}`,
      goal: "≤ 500 ms",
      met: resume <= 500,
    },
  ];
}
