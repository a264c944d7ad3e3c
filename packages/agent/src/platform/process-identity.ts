import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { systemCode } from "../contract/errors.ts";

/**
 * Who a process is, so that another process can tell later whether it still lives. A pid alone is not enough: it is used
 * again. Everything but pid and host is known on Linux only.
 */
export interface ProcessIdentity {
  pid: number;
  host: string;
  /** Clock ticks from boot to the process's start (`/proc/PID/stat`, field 22). */
  start?: string;
  /** The kernel's id of this boot. */
  boot?: string;
  /** The pid namespace: the same pid in another container is another process. */
  namespace?: string;
}

let own: ProcessIdentity | undefined;

/** The identity of this process. */
export function processIdentity(): ProcessIdentity {
  if (own?.pid === process.pid) return own;
  const identity: ProcessIdentity = { pid: process.pid, host: hostname() };
  if (process.platform === "linux") {
    const start = startOf(process.pid);
    const boot = readLine("/proc/sys/kernel/random/boot_id");
    if (start) identity.start = start;
    if (boot) identity.boot = boot;
    try {
      identity.namespace = readlinkSync("/proc/self/ns/pid");
    } catch {
      // no /proc here: pids are compared without it
    }
  }
  own = identity;
  return identity;
}

/**
 * Whether the process of an identity lives. `elsewhere`: it ran on another machine or in another container, where we
 * cannot look. On macOS and Windows a pid that was used again counts as alive, since start times are not known there.
 */
export function lifeOf(other: ProcessIdentity, me: ProcessIdentity = processIdentity()): Life {
  if (other.boot && me.boot) {
    if (other.boot !== me.boot) return other.host === me.host ? "dead" : "elsewhere";
  } else if (other.host !== me.host) return "elsewhere";
  if (other.namespace && me.namespace && other.namespace !== me.namespace) return "elsewhere";
  if (!Number.isSafeInteger(other.pid) || other.pid <= 0) return "dead";
  try {
    process.kill(other.pid, 0);
  } catch (thrown) {
    if (systemCode(thrown) === "ESRCH") return "dead";
    // EPERM: it lives and is another user's
  }
  if (process.platform !== "linux" || !other.start) return "alive";
  const start = startOf(other.pid);
  return start === undefined || start === other.start ? "alive" : "dead";
}

export type Life = "alive" | "dead" | "elsewhere";

/** The start time of a live process, `ended` for a zombie, undefined when it cannot be read. */
function startOf(pid: number): string | undefined {
  const stat = readLine(`/proc/${pid}/stat`);
  // The name in parentheses may hold spaces and parentheses itself.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (!fields || fields.length < 20) return undefined;
  return fields[0] === "Z" || fields[0] === "X" ? "ended" : fields[19];
}

function readLine(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    // not Linux, or /proc is hidden
    return undefined;
  }
}
