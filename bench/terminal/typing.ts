import { workspace } from "@pi-ts/testkit";
import { type Figure, ms } from "../report.ts";
import { benchService, streamPrompt } from "../service.ts";
import { writeSession } from "../session-log.ts";
import { type KeyCost, typeKeys } from "./key-strokes.ts";
import { beginOf } from "./markdown-text.ts";
import { LAST, startInteractive, untilReady } from "./subject.ts";

const LONG = "20260101-000000-bench2";
const GOAL = { p95: 6, cpu: 2 };

/** From a key to its letter on the screen, in an empty and in a long session, at rest and while an answer streams. */
export async function benchTyping(keys: number, messages: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of [0, messages]) {
    const { idle, streaming } = await typing(keys, count);
    figures.push(figure(`key to screen, ${count} messages`, idle, true));
    figures.push(figure(`key to screen while an answer streams, ${count} messages`, streaming, false));
  }
  return figures;
}

async function typing(keys: number, messages: number): Promise<{ idle: KeyCost; streaming: KeyCost }> {
  await using space = await workspace({ "a.txt": "one\n" });
  await using service = await benchService();
  if (messages > 0) writeSession(space, LONG, { messages, sentences: 2, last: LAST });
  await using program = startInteractive(space, service, messages > 0 ? ["--session", LONG] : []);
  await untilReady(program, messages > 0);
  const idle = await typeKeys(program, keys);
  program.press("ctrl+c");
  await program.settled();
  // A stream that lasts longer than the typing: 40 characters every 10 ms, as a fast model gives them.
  program.paste(streamPrompt({ name: "TYPING", characters: keys * 400, piece: 40, everyMs: 10 }));
  program.press("enter");
  await program.waitFor(beginOf("TYPING"));
  await service.go();
  const streaming = await typeKeys(program, keys);
  return { idle, streaming };
}

function figure(name: string, { latenciesMs, cpuMsPerKey }: KeyCost, withCpu: boolean): Figure {
  const p95 = share(latenciesMs, 0.95);
  const value = `p50 ${ms(share(latenciesMs, 0.5))}, p95 ${ms(p95)}`;
  return {
    name,
    value: withCpu ? `${value}, CPU ${ms(cpuMsPerKey)} a key` : value,
    beside: `${latenciesMs.length} keys`,
    goal: withCpu ? `p95 ≤ ${GOAL.p95} ms, CPU ≤ ${GOAL.cpu} ms` : `p95 ≤ ${GOAL.p95} ms`,
    met: p95 <= GOAL.p95 && (!withCpu || cpuMsPerKey <= GOAL.cpu),
  };
}

/** The value below which that share of all lies. */
function share(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
