import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { type Figure, ms, times } from "../report.ts";

const ROUNDS = 200;
const SYNCS = 40;
const PAGE = new Uint8Array(4_096);
/** From here on wall clock says more about the neighbours than about us. */
const QUIET = 1.5;

/** How fast and how quiet the machine is just now, to read other figures of the same run beside. */
export async function calibrate(when: string): Promise<Figure> {
  const loops = ordered(ROUNDS, loop);
  const syncs = await timeSyncs();
  const noise = at(loops, 0.95) / loops[0]!;
  return {
    name: `calibration ${when}: a fixed loop, p95 ÷ fastest`,
    value: `${times(noise)}, ${noise < QUIET ? "quiet" : "BUSY"}`,
    beside: `fastest ${ms(loops[0]!)}; fsync of a page p50 ${ms(at(syncs, 0.5))}, p95 ${ms(at(syncs, 0.95))}`,
    goal: "",
    met: true,
  };
}

async function timeSyncs(): Promise<number[]> {
  await using space = await workspace();
  const file = openSync(join(space.home, "page"), "w");
  try {
    return ordered(SYNCS, () => {
      writeSync(file, PAGE, 0, PAGE.length, 0);
      fsyncSync(file);
    });
  } finally {
    closeSync(file);
  }
}

/** The same work each time, in registers and nothing else. */
function loop(): void {
  let value = 1;
  for (let round = 0; round < 400_000; round++) value = (Math.imul(value, 1_103_515_245) + 12_345) | 0;
  if (value === 0) throw new Error("the loop was left out");
}

function ordered(count: number, work: () => void): number[] {
  return Array.from({ length: count }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  }).sort((a, b) => a - b);
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)]!;
}
