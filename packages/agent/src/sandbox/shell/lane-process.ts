import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import type { ProcessExit } from "../../contract/process.ts";
import type { Clock } from "../../contract/services.ts";
import { byteStream, webPieces } from "../../platform/processes/byte-stream.ts";
import type { StartedProcess } from "../../platform/processes/owned-process.ts";
import { listProcesses } from "../../platform/processes/process-table.ts";
import { processTree } from "../../platform/processes/process-tree.ts";
import type { Holder, Lane, LaneEnd } from "./holder.ts";
import { WORKER } from "./sandbox-script.ts";
import { namedSubshells } from "./subshell-label.ts";

const DEFAULT_GRACE_MS = 2_000;
/** Pause between two looks for a command whose end was not told although all of it seems gone; usually it is told at once. */
const LOST_LANE_MS = 250;

/**
 * Runs a command in a lane of a sandbox as a process of ours. From outside its processes are found by their mark: their
 * pids inside of the sandbox are others. Rejects with an Error when the sandbox refuses.
 */
export async function startLaneProcess(
  holder: Holder,
  lane: Lane,
  command: string,
  options: { cwd: string; clock: Clock },
): Promise<StartedProcess> {
  const { cwd, clock } = options;
  const startedAt = clock.now();
  const ended = Promise.withResolvers<LaneEnd>();
  // Opened before the command opens its ends: they would wait for a reader.
  const descriptors = ["out", "err"].map((name) =>
    openSync(join(lane.folder, name), constants.O_RDONLY | constants.O_NONBLOCK),
  );
  let mark: string;
  try {
    mark = await lane.run(command, { cwd, onEnd: ended.resolve });
  } catch (thrown) {
    for (const descriptor of descriptors) closeSync(descriptor);
    if (holder.alive) holder.giveBack(lane);
    throw thrown;
  }
  const [stdout, stderr] = descriptors.map((descriptor) =>
    byteStream(webPieces(Bun.file(descriptor).stream()), () => closeSync(descriptor)),
  ) as [ReturnType<typeof byteStream>, ReturnType<typeof byteStream>];

  let end: LaneEnd | undefined;
  const exited: Promise<ProcessExit> = ended.promise.then((result) => {
    end = result;
    return { code: result.code, signal: result.signal };
  });
  // Only a lane whose pipes nobody holds may be used again: two commands would write into one.
  void Promise.all([ended.promise, stdout.closed, stderr.closed]).then(() => holder.giveBack(lane));

  const leaders = new Set<number>();
  const tree = processTree({ groups: () => [...leaders], mark, clock });
  void Promise.all([stdout.closed, stderr.closed]).then(endWithoutLane);

  /** For a command that killed the lane's own bash: nobody tells its end any more, so it is looked for. */
  async function endWithoutLane(): Promise<void> {
    const told = new AbortController();
    void exited.then(() => told.abort());
    for (let gone = 0; end === undefined; ) {
      await clock.sleep(LOST_LANE_MS, told.signal);
      gone = end === undefined && tree.members().length === 0 ? gone + 1 : 0;
      if (gone < 2) continue;
      holder.lose(lane);
      ended.resolve({ code: null, signal: "SIGKILL", left: false });
      await exited;
    }
  }

  function findLeader(): void {
    if (leaders.size > 0 || end !== undefined) return;
    const leader = listProcesses().find((each) => each.pid === each.group && each.carries(mark));
    if (leader !== undefined) leaders.add(leader.pid);
  }
  function mayLive(): boolean {
    return end === undefined || end.left || !(stdout.ended && stderr.ended) || tree.mayLive();
  }
  function detachStreams(): void {
    stdout.detach();
    stderr.detach();
  }
  return {
    get pid() {
      findLeader();
      return [...leaders][0] ?? 0;
    },
    label: command,
    startedAt,
    stdout,
    stderr,
    stdin: null,
    exited,
    settled: Promise.all([exited, stdout.finished, stderr.finished]).then(() => undefined),
    alive: () => end === undefined || (mayLive() && tree.members().length > 0),
    survivors: () => tree.members(),
    survivorLabels: () => (mayLive() ? namedSubshells(tree.labels(), WORKER) : []),
    detachStreams,
    async end(graceMs = DEFAULT_GRACE_MS) {
      findLeader();
      await tree.end(graceMs);
      await Promise.race([exited, endWithoutLane()]);
      detachStreams();
    },
  };
}
