import { workspace } from "@pi-ts/testkit";
import { median } from "../measure.ts";
import { type Figure, ms, times } from "../report.ts";
import { benchService, streamPrompt } from "../service.ts";
import { writeSession } from "../session-log.ts";
import { beginOf, endOf } from "./markdown-text.ts";
import { usageOf } from "./process-usage.ts";
import { LAST, startInteractive, untilReady } from "./subject.ts";

/** About 2,000 tokens. */
const CHARACTERS = 8_000;
const SESSION = "20260101-000000-bench3";
const GOAL = { ratio: 1.25, spinnerMs: 20, bytes: 50 };

interface StreamCost {
  cpuMs: number;
  bytes: number;
}

/** An answer of 2,000 tokens in a short and in a long transcript, what it writes to the terminal, and what waiting costs. */
export async function benchStreaming(
  runs: number,
  blocks: readonly [number, number],
  waitMs: number,
): Promise<Figure[]> {
  const burst: StreamCost[][] = [[], []];
  const paced: StreamCost[] = [];
  const spinner: number[] = [];
  for (let run = 0; run < runs; run++)
    for (const [at, count] of blocks.entries()) {
      const cost = await streams(count, waitMs);
      burst[at]!.push(cost.burst);
      if (at > 0) continue;
      paced.push(cost.paced);
      spinner.push(cost.spinnerMsPerSecond);
    }
  const [short, long] = burst.map((costs) => median(costs.map(({ cpuMs }) => cpuMs)));
  const ratio = long! / short!;
  const perCharacter = median(paced.map(({ bytes }) => bytes)) / CHARACTERS;
  const waiting = median(spinner);
  return [
    {
      name: `CPU of a stream of 2,000 tokens at full speed, ${blocks[1]} blocks`,
      value: `${ms(long!)} = ${times(ratio)}`,
      beside: `${blocks[0]} blocks: ${ms(short!)}`,
      goal: `≤ ${GOAL.ratio} ×`,
      met: ratio <= GOAL.ratio,
    },
    {
      name: "bytes written per streamed character, 1,000 tokens a second",
      value: perCharacter.toFixed(0),
      beside: `CPU of that stream: ${ms(median(paced.map(({ cpuMs }) => cpuMs)))}`,
      goal: `≤ ${GOAL.bytes}`,
      met: perCharacter <= GOAL.bytes,
    },
    {
      name: "CPU a second while it waits for the model (spinner)",
      value: ms(waiting),
      beside: "",
      goal: `≤ ${GOAL.spinnerMs} ms`,
      met: waiting <= GOAL.spinnerMs,
    },
  ];
}

async function streams(
  blocks: number,
  waitMs: number,
): Promise<{ burst: StreamCost; paced: StreamCost; spinnerMsPerSecond: number }> {
  await using space = await workspace({ "a.txt": "one\n" });
  await using service = await benchService();
  writeSession(space, SESSION, { messages: blocks, sentences: 2, last: LAST });
  await using program = startInteractive(space, service, ["--session", SESSION]);
  await untilReady(program, true);
  const begin = async (name: string, everyMs: number): Promise<void> => {
    program.paste(streamPrompt({ name, characters: CHARACTERS, piece: 20, everyMs }));
    program.press("enter");
    // The first piece is shown and the rest waits: what it took to make and send the request does not count.
    await program.waitFor(beginOf(name));
    await Bun.sleep(300);
  };
  const finish = async (name: string): Promise<StreamCost> => {
    const before = { cpuMs: usageOf(program.pid).cpuMs, bytes: program.bytesWritten };
    await service.go();
    await program.waitFor(endOf(name));
    await program.settled(300);
    return {
      cpuMs: usageOf(program.pid).cpuMs - before.cpuMs,
      bytes: program.bytesWritten - before.bytes,
    };
  };
  await begin("FULL-SPEED", 0);
  const burst = await finish("FULL-SPEED");
  await begin("PACED", 5);
  const waited = usageOf(program.pid).cpuMs;
  await Bun.sleep(waitMs);
  const spinnerMsPerSecond = ((usageOf(program.pid).cpuMs - waited) * 1_000) / waitMs;
  return { burst, paced: await finish("PACED"), spinnerMsPerSecond };
}
