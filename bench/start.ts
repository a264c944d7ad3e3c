import { workspace } from "@pi-ts/testkit";
import { compare, median, runOnce } from "./measure.ts";
import { type Figure, ms, times } from "./report.ts";
import { benchService } from "./service.ts";
import { MODEL, piCommand } from "./subject.ts";

/** One-shot start: a whole `pi -p` with one streamed request, beside `node -e 0`; and the size of that first request. */
export async function benchStart(runs: number): Promise<Figure[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  await using service = await benchService();
  const node = { argv: ["node", "-e", "0"], cwd: space.path, environment: space.env() };
  const costs = await compare(runs, {
    pi: () => runOnce(piCommand(space, service.url, [...MODEL, "-p", "hi"])),
    node: () => runOnce(node),
  });
  const pi = median(costs["pi"]!.map((cost) => cost.wallMs));
  const base = median(costs["node"]!.map((cost) => cost.wallMs));
  const peak = median(costs["pi"]!.map((cost) => cost.peakMiB));
  const { bytes, tools } = await service.last();
  return [
    {
      name: "one-shot start",
      value: `${ms(pi)} = ${times(pi / base)}`,
      beside: `node -e 0: ${ms(base)}`,
      goal: "≤ 1.2 ×",
      met: pi / base <= 1.2,
    },
    {
      name: "one-shot memory",
      value: `${peak.toFixed(0)} MiB`,
      beside: "",
      goal: "≤ 75 MiB",
      met: peak <= 75,
    },
    {
      name: "first request",
      value: `${(bytes / 1000).toFixed(1)} KB with ${tools} tools`,
      beside: "",
      goal: "≤ 14 KB",
      met: bytes <= 14_000,
    },
  ];
}
