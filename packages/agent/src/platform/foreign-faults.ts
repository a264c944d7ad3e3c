import { join } from "node:path";

/** Where our own code lies: in the executable, or the checkout. */
const BUNDLED = /^(?:\/\$bunfs|[A-Z]:[\\/]~BUN)/;
const OURS = BUNDLED.exec(import.meta.dir)?.[0] ?? join(import.meta.dir, "..", "..", "..", "..");

type Taker = (fault: unknown) => void;
let taker: Taker | undefined;

/** From now on `take` hears of faults that nobody caught and that are in no code of ours: code of others runs in this process, too. */
export function takeForeignFaults(take: Taker): void {
  taker = take;
}

/** Hands over a fault that nobody caught; false when it is our own, or no code of others was ever here. */
export function tookForeignFault(fault: unknown): boolean {
  if (taker === undefined || isOurs(fault)) return false;
  taker(fault);
  return true;
}

/** By the innermost place that is a file: what is thrown without one (a text, an error of a worker) is nothing that we throw. */
function isOurs(fault: unknown): boolean {
  const stack = fault instanceof Error ? String(fault.stack ?? "") : "";
  const frames = stack.split("\n").filter((line) => /^\s*at /.test(line));
  const place = frames.find((line) => /[\\/]/.test(line) && !/(?:native|node|bun|internal):/.test(line));
  return place?.includes(OURS) === true;
}
