import { type Workspace, workspace } from "@pi-ts/testkit";
import { median, runOnce } from "../measure.ts";
import { type Figure, ms } from "../report.ts";
import { type BenchService, benchService } from "../service.ts";
import { writeSession } from "../session-log.ts";
import { usageOf } from "./process-usage.ts";
import { inputBoxShown, LAST, startInteractive } from "./subject.ts";

const RESUMED = "20260101-000000-bench1";
const FRAME_GOAL = { ms: 50, mib: 75 };
const RESUME_GOAL = { ms: 200, mib: 100 };

interface Shown {
  afterMs: number;
  mib: number;
}

/** From the start of the process to the first frame, and to the transcript of a long session. */
export async function benchFirstFrame(runs: number, entries: number): Promise<Figure[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  await using service = await benchService();
  writeSession(space, RESUMED, { messages: entries, last: LAST });
  const node = { argv: ["node", "-e", "0"], cwd: space.path, environment: space.env() };
  const fresh: Shown[] = [];
  const resumed: Shown[] = [];
  const bare: number[] = [];
  // In turn, so that drift hits all alike; the first run of each does not count.
  for (let run = 0; run <= runs; run++) {
    const frame = await untilShown(space, service, [], null);
    const transcript = await untilShown(space, service, ["--session", RESUMED], LAST);
    const { wallMs } = await runOnce(node);
    if (run === 0) continue;
    fresh.push(frame);
    resumed.push(transcript);
    bare.push(wallMs);
  }
  const beside = `node -e 0: ${ms(median(bare))}`;
  return [
    figure("first frame", fresh, FRAME_GOAL, beside),
    figure(`resume of ${entries} entries to the shown transcript`, resumed, RESUME_GOAL, beside),
  ];
}

async function untilShown(
  space: Workspace,
  service: BenchService,
  words: readonly string[],
  text: string | null,
): Promise<Shown> {
  const started = performance.now();
  await using program = startInteractive(space, service, words);
  const at = await program.waitFor(text ?? inputBoxShown);
  return { afterMs: at - started, mib: usageOf(program.pid).residentMiB };
}

function figure(
  name: string,
  shown: readonly Shown[],
  goal: { ms: number; mib: number },
  beside: string,
): Figure {
  const after = median(shown.map(({ afterMs }) => afterMs));
  const mib = median(shown.map((one) => one.mib));
  const least = Math.min(...shown.map(({ afterMs }) => afterMs));
  return {
    name,
    value: `${ms(after)}, ${mib.toFixed(0)} MiB`,
    beside: `least: ${ms(least)}, ${beside}`,
    goal: `≤ ${goal.ms} ms, ≤ ${goal.mib} MiB`,
    met: after <= goal.ms && mib <= goal.mib,
  };
}
