import { readdirSync, readFileSync } from "node:fs";

/** Kills a session leader, its process group and, where the system shows them (Linux), all processes of its session. */
export function killSession(leader: number): void {
  kill(-leader);
  kill(leader);
  if (process.platform !== "linux") return;
  // A killed parent's child may appear between two looks.
  for (let round = 0; round < 5; round++) {
    const alive = membersOf(leader);
    if (alive.length === 0) return;
    for (const pid of alive) kill(pid);
  }
}

function membersOf(session: number): number[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [state, , , member] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(member) === session && state !== "Z" && state !== "X" ? [pid] : [];
    } catch {
      // it ended while we looked
      return [];
    }
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it is gone
  }
}
