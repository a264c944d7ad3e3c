import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** The environment variable by which the kit finds processes that a test left behind. */
export const MARKER = "TESTKIT_MARKER";

/** A process that is still alive. */
export interface Leftover {
  pid: number;
  command: string;
}

/**
 * Living processes whose environment carries the marker value, other than this one. Linux: /proc; elsewhere `ps`
 * (macOS shows the environment of one's own processes); Windows has no such view and gives none.
 */
export function markedProcesses(marker: string): Leftover[] {
  if (process.platform === "linux") return fromProc(marker);
  return process.platform === "win32" ? [] : fromPs(marker);
}

/** The same as readable lines, `pid command`. */
export function leftovers(marker: string): string[] {
  return markedProcesses(marker).map((left) => `${left.pid} ${left.command}`);
}

function fromProc(marker: string): Leftover[] {
  const wanted = `${MARKER}=${marker}`;
  const found: Leftover[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(wanted)) continue;
      if (/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) continue;
      found.push({ pid, command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim() });
    } catch {
      // it ended while we looked, or belongs to another user
    }
  }
  return found;
}

function fromPs(marker: string): Leftover[] {
  const { stdout } = spawnSync("ps", ["eww", "-ax", "-o", "pid=,command="], { encoding: "utf8" });
  return (stdout ?? "")
    .split("\n")
    .filter((line) => line.includes(`${MARKER}=${marker}`))
    .map((line) => ({
      pid: Number.parseInt(line, 10),
      command: line
        .trim()
        .replace(/^\d+\s+/, "")
        .slice(0, 200),
    }))
    .filter((left) => left.pid !== process.pid);
}

/** Kills the marked processes and says which there were. */
export function killMarked(marker: string): string[] {
  const killed: string[] = [];
  // A killed parent's child may appear between two looks: look until none is left.
  for (let round = 0; round < 5; round++) {
    const alive = markedProcesses(marker);
    if (alive.length === 0) break;
    for (const left of alive) {
      const line = `${left.pid} ${left.command}`;
      if (!killed.includes(line)) killed.push(line);
      try {
        process.kill(left.pid, "SIGKILL");
      } catch {
        // it ended by itself
      }
    }
  }
  return killed;
}
