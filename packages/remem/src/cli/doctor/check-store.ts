import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { openConnection } from "../../store/sqlite/driver.ts";
import { MIGRATIONS } from "../../store/sqlite/migrations/migrations.ts";
import { storeError } from "../../store/sqlite/transaction.ts";
import { describeFailure } from "../describe-failure.ts";
import { counted } from "../output/memory-view.ts";
import { readLayout } from "../read-layout.ts";
import { type Check, type Checker, failed, ok, warn } from "./check.ts";

/** How long the write check waits for another program. */
const PATIENCE_MS = 1_000;

/** The store: there, readable, writable, of this layout, sound, and nobody else's to read. */
export const checkTheStore: Checker = async ({ memory }) => {
  const { storage } = (await memory.config()).settings;
  const sqlite = storage.kind === "sqlite";
  if (sqlite && !existsSync(storage.path))
    return [ok("store", "not there yet: it is made when something is to be remembered")];
  const checks: Check[] = sqlite ? [await checkLayout(storage.path), await checkWriting(storage.path)] : [];
  if (checks.some(({ status }) => status === "error")) return [...checks, ...checkPermissions(storage.path)];
  const opened = await memory.reading();
  if (opened === undefined) return [...checks, ok("store", "nothing is there yet")];
  // The check of the index takes the lock of writers.
  const locked = checks.some(({ name, status }) => name === "writing" && status === "warn");
  const problems = locked ? [] : await opened.memories.check();
  const { memories, sessions, byState } = await opened.memories.status();
  return [
    ...checks,
    ok("store", `${counted(memories, "memory", "memories")} of ${counted(sessions, "session")}`),
    locked
      ? warn("integrity", "not looked at: the store cannot be written now", "run doctor again later")
      : problems.length === 0
        ? ok("integrity", "sound")
        : failed(
            "integrity",
            problems.slice(0, 5).join("; "),
            "restore a backup: remem restore FILE; what is there now is kept",
          ),
    ...(sqlite ? checkPermissions(storage.path) : []),
    (byState.candidate ?? 0) === 0
      ? ok("review", "nothing waits")
      : warn(
          "review",
          `${counted(byState.candidate ?? 0, "candidate")} wait${byState.candidate === 1 ? "s" : ""}`,
          "decide on them: remem review",
        ),
  ];
};

async function checkLayout(path: string): Promise<Check> {
  try {
    const layout = await readLayout(path);
    if (layout > MIGRATIONS.length)
      return failed(
        "layout",
        `${layout}, and this version knows ${MIGRATIONS.length}`,
        "use the newer version that wrote it; nothing was changed",
      );
    return layout === MIGRATIONS.length
      ? ok("layout", `${layout}, which is this version's`)
      : warn(
          "layout",
          `${layout}, and this version's is ${MIGRATIONS.length}`,
          "it is brought up to date when it is opened: remem migrate",
        );
  } catch (error) {
    const { message, hint } = describeFailure(error);
    return failed("layout", message, hint);
  }
}

async function checkWriting(path: string): Promise<Check> {
  try {
    const connection = await openConnection(path);
    try {
      connection.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
      connection.run("BEGIN IMMEDIATE; ROLLBACK");
      return ok("writing", "possible");
    } finally {
      connection.close();
    }
  } catch (error) {
    const { code, message, hint } = describeFailure(storeError(error));
    // Another program's long write and a place that is only read are no damage.
    return code === "busy" || code === "read_only"
      ? warn("writing", message, hint)
      : failed("writing", message, hint);
  }
}

function checkPermissions(path: string): Check[] {
  if (process.platform === "win32") return [];
  const open = [path, dirname(path)].filter((one) => existsSync(one) && (statSync(one).mode & 0o077) !== 0);
  return open.length === 0
    ? [ok("permissions", "only you can read it")]
    : open.map((one) =>
        warn("permissions", `others can look into ${one}`, `chmod ${one === path ? "600" : "700"} ${one}`),
      );
}
