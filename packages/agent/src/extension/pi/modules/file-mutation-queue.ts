import { realpathSync } from "node:fs";
import { resolve } from "node:path";

const last = new Map<string, Promise<unknown>>();

/** Runs changes of one file one after the other, in the order in which they were asked for; those of other files run beside. */
export async function withFileMutationQueue<Result>(
  path: string,
  change: () => Promise<Result>,
): Promise<Result> {
  const key = realPath(path);
  const before = last.get(key) ?? Promise.resolve();
  const mine = before.then(change, change);
  last.set(key, mine);
  try {
    return await mine;
  } finally {
    if (last.get(key) === mine) last.delete(key);
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // it is about to be made
    return resolve(path);
  }
}
