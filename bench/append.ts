import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import type { Message } from "../packages/agent/src/contract/messages.ts";
import { SessionStore } from "../packages/agent/src/session/session-store.ts";
import { median } from "./measure.ts";
import { type Figure, times } from "./report.ts";
import { writeSession } from "./session-log.ts";

/** How often a message is appended in one run. */
const APPENDS = 2_000;
/** Machines are never quite the same twice; a cost that grows with the session would be a hundred times as much. */
const MOST_RATIO = 1.5;

/**
 * What one more message costs in a long session beside a short one. In this process, since a start would hide it: opened once, then
 * appended to in turn.
 */
export async function benchAppend(
  runs: number,
  { short, long }: { short: number; long: number },
): Promise<Figure[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  const before = appender(space, "m0000000short", short);
  const after = appender(space, "m00000000long", long);
  const [costs, longCosts]: [number[], number[]] = [[], []];
  for (let run = 0; run <= runs; run++) {
    const [cost, longCost] = [before.append(), after.append()];
    // The first run only warms up.
    if (run === 0) continue;
    costs.push(cost);
    longCosts.push(longCost);
  }
  before.close();
  after.close();
  const [usual, much] = [median(costs), median(longCosts)];
  return [
    {
      name: `append to a session of ${long} events`,
      value: `${much.toFixed(1)} µs = ${times(much / usual)}`,
      beside: `of ${short} events: ${usual.toFixed(1)} µs`,
      goal: `≤ ${times(MOST_RATIO)}`,
      met: much / usual <= MOST_RATIO,
    },
  ];
}

/** A session of so many events; `append` gives the microseconds that one message took. */
function appender(space: Workspace, id: string, events: number): { append(): number; close(): void } {
  // As after that much work: a summary stands for all but the newest part.
  writeSession(space, id, { messages: events, summaryAt: events - 200 });
  const root = join(space.home, ".pi-go", "sessions");
  const session = new SessionStore({ root, now: Date.now, onNotice: () => undefined }).open(id);
  session.messages();
  const text = "A line of work in a session. ".repeat(30);
  const message: Message = { role: "user", origin: "user", parts: [{ type: "text", text }] };
  return {
    append() {
      const start = performance.now();
      for (let index = 0; index < APPENDS; index++) session.append(message);
      return ((performance.now() - start) * 1_000) / APPENDS;
    },
    close: () => session.close(),
  };
}
