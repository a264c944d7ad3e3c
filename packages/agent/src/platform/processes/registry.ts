import { rmSync } from "node:fs";
import type { OwnedProcess, ProcessDoor, ProcessSpec } from "../../contract/process.ts";
import type { Clock } from "../../contract/services.ts";
import { type ChildEnvironmentOptions, childEnvironment } from "../child-environment.ts";
import { runBounded } from "./bounded-run.ts";
import { type StartedProcess, startProcess } from "./owned-process.ts";
import { processTree } from "./process-tree.ts";
import { startWatchdog, type Watchdog } from "./watchdog.ts";

/** Carried by every process of a run; its value is the run's `ownerId`. */
export const OWNER_VARIABLE = "PI_PROCESS_OWNER";
/** Carried by everything that one start began. */
export const START_VARIABLE = "PI_PROCESS_ID";

const DEFAULT_GRACE_MS = 2_000;

/** Settings of {@link createProcessRegistry}. */
export interface ProcessRegistryOptions extends ChildEnvironmentOptions {
  /** The environment of the agent; children get it through `childEnvironment`. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Unique among all runs on this machine: letters, digits, `-`. */
  ownerId: string;
  clock: Clock;
}

/** The {@link ProcessDoor} of a run, and what a confined shell needs to add its own processes to it. */
export interface ProcessRegistry extends ProcessDoor {
  /** The environment of a new child with the marks of this run. `mark` is `NAME=value`, unique to this call. */
  childEnvironment(added?: Readonly<Record<string, string | undefined>>): {
    environment: Record<string, string>;
    mark: string;
  };
  /** Takes over a process that was started in another way. `guarded`: false when it dies with another one anyway. */
  adopt(started: StartedProcess, options: { guarded: boolean }): void;
  /** Deletes a temporary folder after the processes have ended, also when we are killed. */
  ownFolder(path: string): void;
}

/** The one owner of every program that a run starts: each in its own group, without our secrets, ended with us. */
export function createProcessRegistry(options: ProcessRegistryOptions): ProcessRegistry {
  const { ownerId, clock } = options;
  if (!/^[A-Za-z0-9-]+$/.test(ownerId))
    throw new TypeError(`ownerId ${JSON.stringify(ownerId)} is not an id`);
  const owned = new Set<StartedProcess>();
  let clean: Record<string, string> | undefined;
  let watchdog: Watchdog | null | undefined;
  const guardedOnes = new Set<StartedProcess>();
  let starts = 0;
  let used = false;
  const folders = new Set<string>();

  function environmentFor(added: Readonly<Record<string, string | undefined>> = {}) {
    clean ??= childEnvironment(options.environment, options);
    const id = `${ownerId}.${++starts}`;
    const environment: Record<string, string> = { ...clean };
    for (const [name, value] of Object.entries(added))
      if (value === undefined) delete environment[name];
      else environment[name] = value;
    environment[OWNER_VARIABLE] = ownerId;
    environment[START_VARIABLE] = id;
    return { environment, mark: `${START_VARIABLE}=${id}` };
  }

  function watch(): Watchdog | null {
    if (watchdog === undefined) watchdog = startWatchdog(`${OWNER_VARIABLE}=${ownerId}`);
    return watchdog;
  }

  function own(started: StartedProcess, guarded: boolean): void {
    owned.add(started);
    used = true;
    if (guarded) {
      watch()?.guard(started.pid);
      guardedOnes.add(started);
    }
    // The streams first: a child that moved away but holds them has been seen by then.
    started.settled.then(() => forget(started)).catch(() => undefined);
  }

  function forget(started: StartedProcess): void {
    // A background child of an ended command stays owned.
    if (started.alive() || !owned.delete(started)) return;
    if (guardedOnes.delete(started)) watchdog?.release(started.pid);
  }

  function start(spec: ProcessSpec): OwnedProcess {
    const { environment, mark } = environmentFor(spec.env);
    const started = startProcess(spec, { environment, mark, clock });
    const owning: StartedProcess = {
      ...started,
      async end(graceMs) {
        await started.end(graceMs);
        // Its streams may have been given up while something of it lived: nothing else tells that this is gone now.
        forget(owning);
      },
    };
    own(owning, true);
    return owning;
  }

  return {
    start,
    adopt: (started, { guarded }) => own(started, guarded),
    ownFolder(path) {
      used = true;
      folders.add(path);
      watch()?.guardFolder(path);
    },
    childEnvironment: environmentFor,
    async run(spec, limits) {
      return runBounded(start(spec), limits, clock);
    },
    list() {
      for (const started of owned) forget(started);
      return [...owned];
    },
    async endAll() {
      if (!used) return;
      await Promise.all([...owned].map((started) => started.end()));
      for (const started of owned) forget(started);
      // What left its group and its parent long ago, from starts that are no longer listed.
      await processTree({ groups: () => [], mark: `${OWNER_VARIABLE}=${ownerId}`, clock }).end(
        DEFAULT_GRACE_MS,
      );
      for (const folder of folders) removeFolder(folder);
      folders.clear();
      watchdog?.dismiss();
      watchdog = undefined;
      used = false;
    },
  };
}

function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // A command left what we may not delete (another user's files): the system's own cleaning will.
  }
}
