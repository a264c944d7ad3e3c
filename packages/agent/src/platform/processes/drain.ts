import { OVER } from "../../contract/over.ts";
import type { Clock } from "../../contract/services.ts";

/** How long output may still come after a program has ended, in milliseconds: a child of it may hold the pipe for ever. */
const GRACE_MS = 200;
/** Turns of the event loop without news after which the pipe counts as read out. Each turn looks at every pipe. */
const QUIET_TURNS = 3;

/**
 * Waits for the end of an ended program's output, or until a grace has passed and nothing more comes. Time alone would lose
 * output on a busy machine, where the timer can fire before the pipe was looked at. True when the end was reached.
 */
export async function drainOutput(
  ended: Promise<unknown>,
  bytesSeen: () => number,
  clock: Clock,
): Promise<boolean> {
  let over = false;
  const enough = new AbortController();
  const end = ended.then(() => {
    over = true;
  });
  await Promise.race([end, clock.sleep(GRACE_MS, enough.signal)]);
  enough.abort(OVER);
  let seen = bytesSeen();
  for (let quiet = 0; !over && quiet < QUIET_TURNS; quiet++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (bytesSeen() === seen) continue;
    seen = bytesSeen();
    quiet = -1;
  }
  return over;
}
