import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** Which process a file belongs to, as its name tells it. */
export interface FileOwner {
  readonly pid: number;
  /** Tells two processes with one number apart, where the system says when each began; else "0". */
  readonly started: string;
  readonly machine: string;
}

/** This process. */
export function ownProcess(): FileOwner {
  return { pid: process.pid, started: startOf(process.pid) ?? "0", machine: machineName() };
}

/** Whether the process still runs; undefined when it ran on another machine, where nobody here can tell. */
export function isAlive(owner: FileOwner): boolean | undefined {
  if (owner.machine !== machineName()) return undefined;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: somebody else's process has the number.
    if ((error as { code?: unknown }).code === "ESRCH") return false;
  }
  const started = startOf(owner.pid);
  return started === undefined || owner.started === "0" || started === owner.started;
}

/** When a process began, in the system's own count; undefined where it does not say. */
function startOf(pid: number): string | undefined {
  try {
    // The second field is the program's name in parentheses and may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

let machine: string | undefined;

function machineName(): string {
  machine ??=
    hostname()
      .replace(/[^A-Za-z0-9]/gu, "")
      .slice(0, 24) || "here";
  return machine;
}
