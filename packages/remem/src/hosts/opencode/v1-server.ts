import { isMainThread } from "node:worker_threads";
import { detached, type HostTrouble } from "../shared/host-guard.ts";
import type { HostClient, HostHooks, HostInput } from "./host-types.ts";
import { hostVersion } from "./host-version.ts";
import { claimInstance } from "./instance-claim.ts";
import { openHostMemory } from "./open-host-memory.ts";
import { entranceOf, isRunByAgent } from "./provenance.ts";
import { recalledNoteFile } from "./recalled-note.ts";
import { SessionParents } from "./session-parents.ts";
import { V1Hooks } from "./v1-hooks.ts";

/** The name in the host's log. */
const SERVICE = "remem";

/** Folders whose hooks were disposed of: `run` may call `server` once more for one at its very end, and never disposes of that. */
const ended = new Set<string>();

/** Memory for one folder, as the host's plugin function: never rejects, and without memory it gives no hooks. */
export async function server(input: HostInput, options?: unknown): Promise<HostHooks> {
  const log = hostLog(input.client);
  const trouble: HostTrouble = (what, error) => log("warn", `${what} failed (${error})`);
  try {
    return await openHooks(input, options, log, trouble);
  } catch (error) {
    trouble("start", error instanceof Error ? error.name : "unknown");
    return {};
  }
}

type Log = (level: "info" | "warn", message: string) => void;

async function openHooks(
  input: HostInput,
  given: unknown,
  log: Log,
  trouble: HostTrouble,
): Promise<HostHooks> {
  const { client, directory, worktree } = input;
  if (!claimInstance(client)) {
    log(
      "warn",
      "this plugin is loaded twice for one folder; the second copy does nothing. Take one out of the settings.",
    );
    return {};
  }
  const { memory, config, options, mayRecall } = await openHostMemory({
    directory,
    given,
    environment: process.env,
    trouble,
    onNotice: (message, level) => log(level === "warning" ? "warn" : "info", message),
  });
  const { settings } = config;
  detached("handshake", trouble, async () => memory.greet(await hostVersion(client)));
  if (!settings.enabled) return {};
  const entrance = entranceOf(process.argv, isMainThread);
  const { hooks } = new V1Hooks({
    memory,
    parents: new SessionParents(client),
    entrance,
    argv: process.argv,
    options,
    isAgents: isRunByAgent(process.env),
    noteFile: mayRecall ? recalledNoteFile() : undefined,
    guidesCompaction: settings.compaction,
    // Outside of git the host calls the root of the disk the worktree.
    root: worktree === "/" ? directory : worktree,
    trouble,
  });
  const isLate = entrance === "run" && ended.has(directory);
  // Opened while the host starts, so that the first prompt need not wait for it.
  if (!isLate) detached("open", trouble, () => memory.memory.ready());
  return {
    ...hooks,
    dispose: async () => {
      ended.add(directory);
      await hooks.dispose?.();
    },
  };
}

/** The host's own log; stdout and stderr belong to it. */
function hostLog({ app }: HostClient): Log {
  return (level, message) =>
    detached(
      "log",
      () => undefined,
      () => app.log({ body: { service: SERVICE, level, message } }),
    );
}
