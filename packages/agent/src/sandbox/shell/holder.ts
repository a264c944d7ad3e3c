import { closeSync, constants, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { errorMessage } from "../../contract/errors.ts";
import type { OwnedProcess } from "../../contract/process.ts";
import { START_VARIABLE } from "../../platform/processes/registry.ts";
import { CHANNEL_FOLDER } from "./bubblewrap-arguments.ts";
import { inTemporary } from "./private-folder.ts";

/** A place in a running sandbox where one command at a time can run. */
export interface Lane {
  /** Our side of the lane's pipes and of its command file. */
  readonly folder: string;
  /**
   * Hands a command over. Resolves when it runs, with the mark (`NAME=value`) that its processes carry; rejects when it
   * cannot. `onEnd` is called once after that, also when the sandbox dies.
   */
  run(command: string, options: { cwd: string; onEnd(end: LaneEnd): void }): Promise<string>;
}

/** How a command in a lane ended. `left`: processes of its group live on. */
export interface LaneEnd {
  code: number | null;
  signal: string | null;
  left: boolean;
}

/** A running sandbox. */
export interface Holder {
  /** Resolves when it takes commands; rejects with an Error that says why there is no sandbox. */
  readonly ready: Promise<void>;
  readonly alive: boolean;
  /** A lane with nothing running. */
  takeLane(): Promise<Lane>;
  /** Its command has ended and nobody holds its pipes. */
  giveBack(lane: Lane): void;
  /** Its bash is dead: {@link giveBack} then only counts, and the lane is never handed out again. */
  lose(lane: Lane): void;
  /** No lane is taken. */
  readonly idle: boolean;
  /** Lanes opened so far; each is two processes while nothing runs in it. */
  readonly laneCount: number;
}

/** A lane ended before its command was read: the command did not run and may be given to another one. */
export class LaneGone extends Error {}

interface Waiting {
  running: boolean;
  started(mark: string): void;
  refused(reason: Error): void;
  onEnd(end: LaneEnd): void;
}

/**
 * Speaks with the dispatcher and the lanes of a sandbox (see `sandbox-script.ts`). `channels` is the folder of the pipes,
 * ours alone; `child` the sandbox's process, its stdin the dispatcher's, its stdout the answers.
 */
export function createHolder(child: OwnedProcess, channels: string): Holder {
  const ready = Promise.withResolvers<void>();
  const lanes: Lane[] = [];
  const lost = new WeakSet<Lane>();
  const opened = new Map<string, Lane>();
  const opening = new Map<string, (lane: Lane | Error) => void>();
  /** By the lane's name: a lane has one command at a time. */
  const commands = new Map<string, Waiting>();
  let alive = true;
  let taken = 0;
  let spareIsOpening = false;
  let laneCount = 0;
  let complaint = "";

  void followAnswers();
  void followComplaints();

  async function followAnswers(): Promise<void> {
    let rest = "";
    for await (const bytes of child.stdout) {
      const lines = (rest + Buffer.from(bytes).toString("latin1")).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) answer(line.split(" "));
    }
    await child.exited;
    died();
  }

  async function followComplaints(): Promise<void> {
    for await (const bytes of child.stderr)
      if (complaint.length < 2_000) complaint += Buffer.from(bytes).toString();
  }

  function answer([word, name = "", first = "", left]: string[]): void {
    const waiting = commands.get(name);
    if (word === "ready") ready.resolve();
    else if (word === "lane") openedLane(name);
    else if (word === "started" && waiting !== undefined) {
      waiting.running = true;
      waiting.started(`${START_VARIABLE}=${first}`);
    } else if (word === "ended" && waiting?.running) {
      // Else a bash that was still waiting was killed: the next one finds the command in the pipe.
      commands.delete(name);
      waiting.onEnd({ code: Number(first), signal: null, left: left === "1" });
    } else if (word === "gone") {
      commands.delete(name);
      drop(name);
      waiting?.refused(new LaneGone("bash cannot be started inside the sandbox"));
    }
  }

  function died(): void {
    alive = false;
    const reason = complaint.trim().split("\n").slice(-1)[0] || "it ended at once";
    const gone = new Error(reason);
    ready.reject(gone);
    ready.promise.catch(() => undefined);
    for (const settle of opening.values()) settle(gone);
    for (const waiting of commands.values()) {
      waiting.refused(new Error(`the sandbox ended: ${reason}`));
      waiting.onEnd({ code: null, signal: "SIGKILL", left: false });
    }
    commands.clear();
  }

  /** A command killed what waits in a lane (`pkill bash`): this lane is never handed out again. */
  function drop(name: string): void {
    const lane = opened.get(name);
    opened.delete(name);
    if (lane === undefined) return;
    lost.add(lane);
    const place = lanes.indexOf(lane);
    if (place >= 0) lanes.splice(place, 1);
  }

  /** A sandbox that is just ending has no reader any more for the pipe of a lane it announced. */
  function openedLane(name: string): void {
    const settle = opening.get(name);
    opening.delete(name);
    try {
      const lane = createLane(join(channels, name), name);
      opened.set(name, lane);
      settle?.(lane);
    } catch (thrown) {
      settle?.(new LaneGone(errorMessage(thrown), { cause: thrown }));
    }
  }

  function createLane(folder: string, name: string): Lane {
    const input = openSync(join(folder, "in"), constants.O_WRONLY | constants.O_NONBLOCK);
    void child.exited.then(() => closeSync(input));
    return {
      folder,
      run(command, { cwd, onEnd }) {
        const file = join(folder, "command");
        inTemporary("write", file, () => writeFileSync(file, command, { mode: 0o600 }));
        return new Promise((resolve, reject) => {
          if (!alive) {
            reject(new Error("the sandbox has ended"));
            return;
          }
          commands.set(name, { running: false, started: resolve, refused: reject, onEnd });
          try {
            writeSync(input, `${cwd}\0`);
          } catch (thrown) {
            // All that read the pipe was killed (`kill -9 -1`), and we have not heard of it yet.
            commands.delete(name);
            drop(name);
            reject(new LaneGone(errorMessage(thrown), { cause: thrown }));
          }
        });
      },
    };
  }

  async function openLane(): Promise<Lane | Error> {
    const name = `lane-${++laneCount}`;
    const folder = join(channels, name);
    inTemporary("make the folder", folder, () => mkdirSync(folder, { mode: 0o700 }));
    const answered = new Promise<Lane | Error>((resolve) => {
      opening.set(name, resolve);
    });
    child.stdin?.write(`${CHANNEL_FOLDER}/${name}\0`);
    return alive ? answered : new Error("the sandbox has ended");
  }

  /** A lane for the next command, opened while this one runs. */
  function openSpare(): void {
    if (spareIsOpening) return;
    spareIsOpening = true;
    void openLane()
      .catch((thrown: unknown) => thrown as Error)
      .then((lane) => {
        spareIsOpening = false;
        if (!(lane instanceof Error || lost.has(lane))) lanes.push(lane);
      });
  }

  return {
    ready: ready.promise,
    get alive() {
      return alive;
    },
    get idle() {
      return taken === 0;
    },
    get laneCount() {
      return laneCount;
    },
    async takeLane() {
      taken++;
      // The one that rested longest: in the others a bash may still be starting after their last command.
      const lane = lanes.shift() ?? (await openLane().catch((thrown: unknown) => thrown as Error));
      if (!(lane instanceof Error)) {
        if (lanes.length === 0) openSpare();
        return lane;
      }
      taken--;
      throw lane;
    },
    giveBack(lane) {
      taken--;
      if (!lost.has(lane)) lanes.push(lane);
    },
    lose(lane) {
      lost.add(lane);
      commands.delete(basename(lane.folder));
    },
  };
}
