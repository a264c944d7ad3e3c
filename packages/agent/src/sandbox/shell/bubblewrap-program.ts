import { readFileSync, statSync } from "node:fs";
import type { ProcessDoor } from "../../contract/process.ts";
import { findProgram } from "./bash-program.ts";

/** Before PATH, which may name folders that anybody writes to. */
const USUAL = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"];
const PROBE_TIMEOUT_MS = 10_000;

/** Absolute path of bubblewrap, or undefined. */
export function findBubblewrap(path: string): string | undefined {
  const usual = USUAL.find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile());
  return usual ?? findProgram("bwrap", path);
}

/** Why bubblewrap surely cannot work here; undefined when it may. Starts nothing. */
export function bubblewrapUnavailable(path: string): string | undefined {
  if (findBubblewrap(path) === undefined) return "bubblewrap (bwrap) is not installed";
  const refused = process.getuid?.() !== 0 && textOf("/proc/sys/user/max_user_namespaces").trim() === "0";
  return refused ? "user namespaces are turned off (user.max_user_namespaces is 0)" : undefined;
}

/**
 * Whether this system lets bubblewrap make the simplest sandbox: what it says when not. Tells "there is no sandbox here"
 * from "this one could not be made".
 */
export async function bubblewrapRefusal(
  program: string,
  processes: ProcessDoor,
): Promise<string | undefined> {
  const argv = [
    program,
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--unshare-pid",
    "--",
    // By its whole path: a PATH without it would look like a system without sandboxes.
    "/bin/sh",
    "-c",
    ":",
  ];
  const probe = await processes.run({ argv, cwd: "/", label: "bwrap" }, { timeoutMs: PROBE_TIMEOUT_MS });
  if (probe.code === 0) return undefined;
  return Buffer.from(probe.stderr).toString().trim().split("\n").pop() || `bwrap ended with ${probe.code}`;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // not told
    return "";
  }
}
