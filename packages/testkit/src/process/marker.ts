import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The environment variable by which the kit finds processes that a test left behind. */
export const MARKER = "TESTKIT_MARKER";

/** A process that is still alive. */
export interface Leftover {
  pid: number;
  command: string;
}

/**
 * Living processes, other than this one, that belong to the marker: their environment holds it in any variable (a
 * cleaned environment still has HOME or TMPDIR in the workspace, whose path is the marker), or their current folder
 * lies below it. Linux: /proc; elsewhere `ps` (macOS shows the environment of one's own processes, no current folder);
 * Windows has no such view and gives none.
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
  const found: Leftover[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      if (!belongs(pid, marker) || /^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8")))
        continue;
      found.push({ pid, command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim() });
    } catch {
      // it ended while we looked, or belongs to another user
    }
  }
  return found;
}

function belongs(pid: number, marker: string): boolean {
  const folder = readlinkSync(`/proc/${pid}/cwd`);
  if (folder === marker || folder.startsWith(`${marker}/`)) return true;
  return readFileSync(`/proc/${pid}/environ`, "utf8")
    .split("\0")
    .some((entry) => {
      const value = entry.slice(entry.indexOf("=") + 1);
      return value === marker || value.startsWith(`${marker}/`);
    });
}

function fromPs(marker: string): Leftover[] {
  const { stdout } = spawnSync("ps", ["eww", "-ax", "-o", "pid=,command="], { encoding: "utf8" });
  return (stdout ?? "")
    .split("\n")
    .filter((line) => line.includes(`=${marker}`))
    .map((line) => ({
      pid: Number.parseInt(line, 10),
      command: line
        .trim()
        .replace(/^\d+\s+/, "")
        .slice(0, 200),
    }))
    .filter((left) => left.pid !== process.pid);
}

/** How long a process that was just killed may take to be gone before it counts as left behind. */
const GRACE_MS = 1_000;

/** Kills the marked processes that do not end by themselves at once, and says which there were. */
export async function killMarked(marker: string): Promise<string[]> {
  const deadline = performance.now() + GRACE_MS;
  while (markedProcesses(marker).length > 0 && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20));
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
