import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { median, runOnce } from "../measure.ts";
import { benchService } from "../service.ts";
import { writeSession } from "../session-log.ts";
import { piCommand } from "../subject.ts";
import { typeKeys } from "../terminal/key-strokes.ts";
import { LAST, startInteractive, untilReady } from "../terminal/subject.ts";
import { fastestBySize } from "./fastest.ts";
import type { Point } from "./fit.ts";
import type { Growth, GrowthShape } from "./series.ts";
import { wideModel } from "./wide-model.ts";

/** The time of a step is that of the fastest of so many, the last of which has the number that is asked for. */
const WINDOW = 10;
const KEYS = 40;

/** What a step, a resume and a key cost in a session of so many steps. */
export async function historyGrowth({ sizes, runs }: GrowthShape): Promise<Growth> {
  return {
    name: "history",
    sizes: "steps in the session",
    series: [
      { name: "a step with bash", unit: "ms", limit: "flat", points: await steps(sizes) },
      { name: "resume and answer", unit: "ms", limit: "linear", points: await resume(sizes, runs) },
      { name: "a key to the screen", unit: "ms", limit: "flat", points: await keys(sizes) },
    ],
  };
}

/** All of it in one run of the longest session: from an answer to the next request. */
async function steps(sizes: readonly number[]): Promise<Point[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  await using service = await stepService(Math.max(...sizes));
  await runOnce(
    piCommand(space, service.url, [...wideModel(space, service.url), "--sandbox", "off", "-p", "go"]),
  );
  const took = (await (await fetch(service.url)).json()) as number[];
  return sizes.map((size) => ({ size, value: Math.min(...took.slice(Math.max(0, size - WINDOW), size)) }));
}

async function stepService(count: number): Promise<AsyncDisposable & { url: string }> {
  const argv = [process.execPath, "--no-env-file", join(import.meta.dir, "step-service.ts"), String(count)];
  const child = Bun.spawn(argv, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const { value } = await child.stdout.getReader().read();
  return {
    url: new TextDecoder().decode(value).trim(),
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

async function resume(sizes: readonly number[], runs: number): Promise<Point[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  await using service = await benchService();
  const model = wideModel(space, service.url);
  return await fastestBySize(runs, sizes, (size) => {
    // Anew each time: a run adds to it.
    writeLog(space, size);
    return runOnce(piCommand(space, service.url, [...model, "--session", sessionOf(size), "-p", "hi"]));
  });
}

async function keys(sizes: readonly number[]): Promise<Point[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  await using service = await benchService();
  const points: Point[] = [];
  for (const size of sizes) {
    writeLog(space, size);
    await using program = startInteractive(space, service, ["--session", sessionOf(size)]);
    await untilReady(program, true);
    points.push({ size, value: median((await typeKeys(program, KEYS)).latenciesMs) });
  }
  return points;
}

function sessionOf(size: number): string {
  return `20260101-000000-${String(size).padStart(5, "0")}`;
}

/** A step is a message of a person or a tool and one of the model. */
function writeLog(space: Parameters<typeof writeSession>[0], size: number): void {
  writeSession(space, sessionOf(size), { messages: 2 * size, sentences: 2, last: LAST });
}
