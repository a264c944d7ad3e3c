import { measureIsolation } from "../../packages/remem/src/identity/__fixtures__/isolation.ts";
import { type Figure, ms } from "../report.ts";
import { exactly } from "./exactly.ts";

/** Whether memories reach the folders of their project and no others. */
export async function benchIdentity(): Promise<Figure[]> {
  const { folders, pairs, shared, leaks, missed, times } = await measureIsolation();
  for (const pair of leaks) process.stdout.write(`leak: ${pair}\n`);
  for (const pair of missed) process.stdout.write(`missed: ${pair}\n`);
  return [
    exactly(
      0,
      "identity, memories found in another project",
      leaks.length,
      `${folders} folders, ${pairs} pairs`,
    ),
    exactly(
      0,
      "identity, memories not found in their own project",
      missed.length,
      `${shared} pairs of one project`,
    ),
    {
      name: "identity, time to find a folder's project, p95",
      value: ms(times[Math.floor(times.length * 0.95)]!),
      beside: `p50 ${ms(times[times.length >> 1]!)}`,
      goal: "",
      met: true,
    },
  ];
}
