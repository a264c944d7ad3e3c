import { readFileSync } from "node:fs";

/** What a living process has used so far, by the system's own accounting. */
export interface ProcessUsage {
  /** Of all its threads; the system counts in steps of up to 10 ms. */
  cpuMs: number;
  residentMiB: number;
}

/** Linux has 100 ticks a second wherever it shows them to programs. */
const TICK_MS = 10;
const PAGE_BYTES = 4096;

/** With all that it started and that still runs as its child, for programs that start themselves once more; on Linux only, else itself. Throws when the process is gone. */
export function usageOfTree(pid: number): ProcessUsage {
  const own = usageOf(pid);
  if (process.platform !== "linux") return own;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  const all = [
    own,
    ...(children === "" ? [] : children.split(" ")).map((child) => usageOfTree(Number(child))),
  ];
  const sum = (what: keyof ProcessUsage) => all.reduce((total, usage) => total + usage[what], 0);
  return { cpuMs: sum("cpuMs"), residentMiB: sum("residentMiB") };
}

/** Throws when the process is gone. */
export function usageOf(pid: number): ProcessUsage {
  if (process.platform === "linux") {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    return {
      cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      residentMiB: (pages * PAGE_BYTES) / 1024 / 1024,
    };
  }
  const { stdout } = Bun.spawnSync(["ps", "-o", "time=,rss=", "-p", String(pid)]);
  const [time, kilobytes] = stdout.toString().trim().split(/\s+/);
  if (time === undefined || kilobytes === undefined) throw new Error(`there is no process ${pid}`);
  const seconds = time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return { cpuMs: seconds * 1_000, residentMiB: Number(kilobytes) / 1024 };
}
