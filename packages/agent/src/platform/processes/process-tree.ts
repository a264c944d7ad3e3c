import { systemCode } from "../../contract/errors.ts";
import type { Clock } from "../../contract/services.ts";
import { type ListedProcess, listProcesses } from "./process-table.ts";

/** How long SIGKILL may take to be carried out (a process in a disk wait) before we stop waiting for it. */
const KILL_PATIENCE_MS = 5_000;

/**
 * What belongs to one start of a program: its process group, all descendants, and every process that carries its mark in
 * the environment, wherever it moved (`setsid`, a parent that ended).
 */
export interface ProcessTree {
  /** Living members, without zombies. */
  members(): number[];
  /** The members as "pid command line". */
  labels(): string[];
  /** One system call: false means that the group is surely empty, true may be a zombie that nobody has reaped yet. */
  groupAlive(): boolean;
  /** As cheap: false when the group is empty and no member was ever seen outside of it. */
  mayLive(): boolean;
  /** SIGTERM to all, SIGKILL after `graceMs` to what is left; resolves when nothing is left (or cannot be killed). */
  end(graceMs: number): Promise<void>;
}

/** The tree that hangs on the groups in `groups` (read at each look) and on `mark` (`NAME=value`). */
export function processTree(options: {
  groups(): readonly number[];
  mark: string;
  clock: Clock;
}): ProcessTree {
  const { mark, clock } = options;
  // Members seen once stay members: one that clears its environment and loses its parent is not lost.
  const known = new Map<number, string>();

  const members = () => look().map((each) => each.pid);
  const labels = () => look().map((each) => `${each.pid} ${each.commandLine()}`);

  function look(): ListedProcess[] {
    const groups = new Set(options.groups());
    const table = listProcesses();
    const inside = new Set<number>();
    for (const each of table) {
      if (each.pid === process.pid) continue;
      if (groups.has(each.group) || groups.has(each.pid) || isKnown(each) || each.carries(mark))
        inside.add(each.pid);
    }
    addDescendants(table, inside);
    const found = table.filter((each) => inside.has(each.pid));
    for (const each of found) known.set(each.pid, each.start);
    return found;
  }

  function isKnown(each: ListedProcess): boolean {
    return each.start !== "" && known.get(each.pid) === each.start;
  }

  function groupAlive(): boolean {
    return options.groups().some((group) => sendSignal(-group, 0));
  }

  function signalAll(signal: NodeJS.Signals): number[] {
    // The group first and at once: its members cannot fork away between two looks.
    for (const group of options.groups()) sendSignal(-group, signal);
    const living = members();
    for (const pid of living) sendSignal(pid, signal);
    return living;
  }

  async function end(graceMs: number): Promise<void> {
    let living = signalAll("SIGTERM");
    const killAt = clock.now() + graceMs;
    for (let wait = 2; living.length > 0 && clock.now() < killAt; wait = Math.min(wait * 2, 50)) {
      await clock.sleep(Math.min(wait, graceMs));
      living = members();
    }
    const giveUpAt = clock.now() + KILL_PATIENCE_MS;
    for (let wait = 1; living.length > 0 && clock.now() < giveUpAt; wait = Math.min(wait * 2, 50)) {
      signalAll("SIGKILL");
      await clock.sleep(wait);
      living = members();
    }
  }

  return { members, labels, groupAlive, mayLive: () => groupAlive() || known.size > 0, end };
}

function addDescendants(table: readonly ListedProcess[], inside: Set<number>): void {
  const children = new Map<number, number[]>();
  for (const each of table) {
    const siblings = children.get(each.parent);
    if (siblings) siblings.push(each.pid);
    else children.set(each.parent, [each.pid]);
  }
  // A set grows while it is walked: what is added is visited too.
  for (const pid of inside)
    for (const child of children.get(pid) ?? []) if (child !== process.pid) inside.add(child);
}

/** Sends a signal to a process (a group when negative); false when there is no such process. */
export function sendSignal(target: number, signal: NodeJS.Signals | 0): boolean {
  // Most questions are answered by an error, whose stack nobody reads and which costs more than the system call.
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    process.kill(target, signal);
    return true;
  } catch (thrown) {
    // EPERM: it lives under another user (sudo) and cannot be reached
    return systemCode(thrown) === "EPERM";
  } finally {
    Error.stackTraceLimit = limit;
  }
}
