import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { childEnvironment } from "./child-environment.ts";

const EQUALS = 61;
let done = false;

/**
 * Blanks the secrets in what the system shows of our own environment (`/proc/<pid>/environ`), which any program of the same user
 * may read: a command that runs unconfined has our process id in `$PPID`. `process.env` keeps them, since Bun has copies. Linux
 * only, once, costs some 2 ms; never throws: where it cannot be done nothing is worse than before.
 */
export function blankSecretsInProc(): void {
  if (done || process.platform !== "linux") return;
  done = true;
  try {
    const shown = readFileSync("/proc/self/environ");
    const kept = childEnvironment(process.env);
    const start = environmentAddress();
    const memory = openSync("/proc/self/mem", "r+");
    try {
      for (let from = 0; from < shown.length; ) {
        const end = shown.indexOf(0, from) < 0 ? shown.length : shown.indexOf(0, from);
        const value = shown.subarray(from, end).indexOf(EQUALS) + 1 + from;
        const name = shown.toString("utf8", from, value - 1);
        if (value > from && !Object.hasOwn(kept, name))
          writeSync(memory, Buffer.alloc(end - value, "*"), 0, end - value, start + value);
        from = end + 1;
      }
    } finally {
      closeSync(memory);
    }
  } catch {
    // no /proc, or a system that forbids this: commands still get an environment without secrets
  }
}

/** proc(5): field 50 of /proc/self/stat is `env_start`; the name in field 2 may hold spaces and parentheses. */
function environmentAddress(): number {
  const stat = readFileSync("/proc/self/stat", "latin1");
  const address = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[47]);
  if (!Number.isSafeInteger(address) || address === 0) throw new Error("the kernel does not tell env_start");
  return address;
}
