import { type Cost, compare } from "../measure.ts";

/**
 * The fastest of several runs of each command, taken in turn: what else the machine does only ever adds, and a few milliseconds are looked
 * for. Wall milliseconds by name.
 */
export async function fastest(
  runs: number,
  commands: Readonly<Record<string, () => Promise<Cost>>>,
): Promise<Readonly<Record<string, number>>> {
  const costs = await compare(runs, commands);
  return Object.fromEntries(
    Object.entries(costs).map(([name, some]) => [name, Math.min(...some.map(({ wallMs }) => wallMs))]),
  );
}

/** The {@link fastest} of one command at each size, all sizes in turn. */
export async function fastestBySize(
  runs: number,
  sizes: readonly number[],
  command: (size: number) => Promise<Cost>,
): Promise<{ size: number; value: number }[]> {
  const found = await fastest(
    runs,
    Object.fromEntries(sizes.map((size) => [`n${size}`, () => command(size)])),
  );
  return sizes.map((size) => ({ size, value: found[`n${size}`]! }));
}
