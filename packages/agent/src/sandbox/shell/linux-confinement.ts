import { errorMessage, isPiError, PiError } from "../../contract/errors.ts";
import type { OwnedProcess } from "../../contract/process.ts";
import type { Clock } from "../../contract/services.ts";
import { type StartedProcess, startProcess } from "../../platform/processes/owned-process.ts";
import type { ProcessRegistry } from "../../platform/processes/registry.ts";
import { bubblewrapArguments } from "./bubblewrap-arguments.ts";
import { bubblewrapRefusal, bubblewrapUnavailable, findBubblewrap } from "./bubblewrap-program.ts";
import { COMMAND_ENVIRONMENT } from "./command-environment.ts";
import type { Confiner } from "./confiner.ts";
import { undoRedirects } from "./git-folders.ts";
import { createHolder, type Holder, LaneGone } from "./holder.ts";
import { startLaneProcess } from "./lane-process.ts";
import { createShellFolder, SESSION_TEMPORARY, type ShellFolder } from "./private-folder.ts";
import { withoutPublishedKeys } from "./published-keys.ts";
import { sandboxFingerprint } from "./sandbox-fingerprint.ts";
import { planSandbox, type SandboxPolicy, visibleTemporaryEntries } from "./sandbox-plan.ts";
import { DISPATCHER, LANE, WORKER } from "./sandbox-script.ts";
import { createSecretScan } from "./secret-scan.ts";

/** The sandbox's own processes besides its lanes: bubblewrap outside and inside, and the dispatcher. */
const OWN_PROCESSES = 3;

/** How long a sandbox may take to start a command; it takes milliseconds. */
const START_PATIENCE_MS = 20_000;

const RETIRE_DELAY_MS = 1_000;
/** How often a command is given to another lane or sandbox when the one it was meant for is gone. */
const MOST_LOST = 10;

/** Failures that are the same without a sandbox; each says what to do. */
const NOT_OF_THE_SANDBOX = ["temporary_folder", "process_folder"];

/** One running sandbox, what it was made for, and what runs in it. */
interface Generation {
  holder: Holder;
  child: StartedProcess;
  fingerprint: string;
  commands: Set<StartedProcess>;
  gitFolder: string | undefined;
}

/**
 * Confinement by bubblewrap: one lasting sandbox in which every command of the session runs, so that what a command left
 * running lives on, sees the same /tmp, and dies with us by the kernel's hand. What must be protected may appear later
 * (`git init`, a new `.env`): then the next command gets a new sandbox; the old one stays while anything runs in it.
 */
export function linuxConfinement(
  policy: SandboxPolicy,
  options: { processes: ProcessRegistry; clock: Clock; path: string; bash(): string },
): Confiner {
  const { processes, clock } = options;
  let newest: Generation | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let worked = false;
  let folder: ShellFolder | undefined;
  const scan = createSecretScan(policy.root);

  /** The sandbox for the next command; calls take turns, so that two never make two. */
  function current(): Promise<Generation> {
    const next = turn.then(async () => {
      const fits =
        newest?.holder.alive && newest.fingerprint === sandboxFingerprint(policy, await scan.find());
      if (newest !== undefined && fits) return newest;
      if (newest !== undefined) void retire(newest);
      newest = await openOrExplain();
      worked = true;
      return newest;
    });
    turn = next.catch(() => undefined);
    return next;
  }

  /** Once more when it fails: a file that was to be hidden may just have gone. */
  async function openOrExplain(): Promise<Generation> {
    try {
      return await open().catch(() => open());
    } catch (thrown) {
      if (isPiError(thrown) && NOT_OF_THE_SANDBOX.includes(thrown.code)) throw thrown;
      const reason = errorMessage(thrown);
      const refusal = worked ? undefined : await bubblewrapRefusal(program(), processes);
      if (refusal !== undefined)
        throw new PiError({ code: "sandbox_missing", message: refusal, cause: thrown });
      // Never without the sandbox from here on: what a project contains must not be able to turn it off.
      throw new PiError({
        code: "sandbox_failed",
        message: `The sandbox for commands could not be made: ${reason}`,
        hint: "Nothing was run. The user can turn the sandbox off with --sandbox off.",
        cause: thrown,
      });
    }
  }

  function program(): string {
    return findBubblewrap(options.path) ?? "bwrap";
  }

  async function open(): Promise<Generation> {
    const found = await scan.find();
    const secrets = await withoutPublishedKeys(found, policy.root, processes);
    folder ??= ownFolder();
    const channels = folder.newChannels();
    const plan = planSandbox(policy, secrets, SESSION_TEMPORARY);
    // After the plan, which makes what is missing, and before the mounts: what is replaced meanwhile is noticed later.
    const fingerprint = sandboxFingerprint(policy, found);
    const needed = [policy.root, policy.home.user, policy.home.root];
    const mounts = bubblewrapArguments(
      plan,
      { temporary: folder.temporary, longTemporary: folder.longTemporary, channels },
      { isRoot: process.getuid?.() === 0, visibleTemporary: visibleTemporaryEntries("/tmp", needed) },
    );
    const inside = [options.bash(), "--norc", "--noprofile", "-p", "-c", DISPATCHER, "sandbox", LANE, WORKER];
    const { environment, mark } = processes.childEnvironment({
      ...COMMAND_ENVIRONMENT,
      ...plan.environment,
      TMPDIR: SESSION_TEMPORARY,
      TMP: SESSION_TEMPORARY,
      TEMP: SESSION_TEMPORARY,
    });
    const child = startProcess(
      {
        argv: [program(), ...mounts, "--", ...inside],
        cwd: policy.root,
        stdin: "pipe",
        label: "sandbox of bash",
      },
      { environment, mark, clock },
    );
    const commands = new Set<StartedProcess>();
    processes.adopt(
      { ...child, end: (graceMs) => endGeneration(child, commands, graceMs) },
      { guarded: true },
    );
    const holder = createHolder(child, channels);
    await holder.ready;
    return { holder, child, fingerprint, commands, gitFolder: plan.gitFolder };
  }

  function ownFolder(): ShellFolder {
    const made = createShellFolder();
    processes.ownFolder(made.path);
    return made;
  }

  /** Ends a sandbox in which nothing runs; not at once, since the bash of a lane may just be starting. */
  async function retire(old: Generation): Promise<void> {
    const gone = new AbortController();
    void old.child.exited.then(() => gone.abort());
    await clock.sleep(RETIRE_DELAY_MS, gone.signal);
    const inUse = !old.holder.idle || old.child.survivors().length > OWN_PROCESSES + 2 * old.holder.laneCount;
    if (old.holder.alive && !inUse) old.child.stdin?.end();
  }

  /** The dispatcher ignores SIGTERM: it ends when its stdin does, after the commands had their time. */
  async function endGeneration(
    child: StartedProcess,
    commands: ReadonlySet<StartedProcess>,
    graceMs: number | undefined,
  ): Promise<void> {
    await Promise.all([...commands].map((command) => command.end(graceMs)));
    child.stdin?.end();
    await child.exited;
    await child.end(0);
  }

  /** Rejects when the command did not start; a sandbox that does not answer any more is ended. */
  async function startInside(generation: Generation, command: string, cwd: string): Promise<StartedProcess> {
    const { holder, child, commands, gitFolder } = generation;
    const settled = new AbortController();
    void clock
      .sleep(START_PATIENCE_MS, settled.signal)
      .then(() => (settled.signal.aborted ? undefined : child.end(0)));
    try {
      const lane = await holder.takeLane();
      const started = await startLaneProcess(holder, lane, command, { cwd, clock });
      commands.add(started);
      void started.exited.then(() => {
        commands.delete(started);
        if (gitFolder !== undefined) undoRedirects(gitFolder);
      });
      processes.adopt(started, { guarded: false });
      return started;
    } finally {
      settled.abort();
    }
  }

  return {
    unavailable: () => bubblewrapUnavailable(options.path),
    async prepare() {
      await current();
    },
    async start(command, { cwd }): Promise<OwnedProcess> {
      for (let lost = 0; ; ) {
        const generation = await current();
        try {
          return await startInside(generation, command, cwd);
        } catch (thrown) {
          // Either way the command did not run: an earlier one may have killed or stopped all that it could see.
          const again = !generation.holder.alive || thrown instanceof LaneGone;
          if (!again || ++lost > MOST_LOST) throw thrown;
        }
      }
    },
  };
}
