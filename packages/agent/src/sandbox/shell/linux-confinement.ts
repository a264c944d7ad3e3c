import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { errorMessage } from "../../contract/errors.ts";
import type { OwnedProcess } from "../../contract/process.ts";
import type { Clock } from "../../contract/services.ts";
import { type StartedProcess, startProcess } from "../../platform/processes/owned-process.ts";
import type { ProcessRegistry } from "../../platform/processes/registry.ts";
import { isSecretPath } from "../secrets.ts";
import { findProgram } from "./bash-program.ts";
import { bubblewrapArguments } from "./bubblewrap-arguments.ts";
import { COMMAND_ENVIRONMENT } from "./command-environment.ts";
import type { Confiner } from "./confiner.ts";
import { createHolder, type Holder } from "./holder.ts";
import { startLaneProcess } from "./lane-process.ts";
import { createShellFolder, type ShellFolder } from "./private-folder.ts";
import { withoutPublishedKeys } from "./published-keys.ts";
import { planSandbox, type SandboxPolicy, visibleTemporaryEntries } from "./sandbox-plan.ts";
import { DISPATCHER, LANE } from "./sandbox-script.ts";
import { findSecretFiles } from "./secret-scan.ts";

const TRUSTED = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"];

/** One running sandbox and what it was made for. */
interface Generation {
  holder: Holder;
  fingerprint: string;
}

/**
 * Confinement by bubblewrap: one lasting sandbox in which every command of the session runs, so that what a command left
 * running lives on, sees the same /tmp, and dies with us by the kernel's hand. What must be protected may appear later
 * (`git init`, a new `.env`): then the next command gets a new sandbox, and the old one ends with its last command.
 */
export function linuxConfinement(
  policy: SandboxPolicy,
  options: { processes: ProcessRegistry; clock: Clock; path: string; bash(): string },
): Confiner {
  const { processes, clock } = options;
  let generation: Promise<Generation> | undefined;
  let folder: ShellFolder | undefined;
  let secrets: string[] | undefined;

  async function current(): Promise<Generation> {
    const running = await generation?.catch(() => undefined);
    const fingerprint = fingerprintOf(policy.root, secrets ?? []);
    if (running?.holder.alive && running.fingerprint === fingerprint) return running;
    generation = open();
    return generation;
  }

  async function open(): Promise<Generation> {
    const found = await findSecretFiles(policy.root);
    secrets = await withoutPublishedKeys(found.files, policy.root, processes);
    const fingerprint = fingerprintOf(policy.root, secrets);
    folder ??= ownFolder();
    const channels = folder.newChannels();
    const plan = planSandbox(policy, secrets, "/tmp");
    const needed = [policy.root, policy.home.user, policy.home.root];
    const argv = [
      bubblewrap(options.path) ?? "bwrap",
      ...bubblewrapArguments(
        plan,
        { temporary: folder.temporary, longTemporary: folder.longTemporary, channels },
        { isRoot: process.getuid?.() === 0, visibleTemporary: visibleTemporaryEntries("/tmp", needed) },
      ),
      "--",
      ...[options.bash(), "--norc", "--noprofile", "-c", DISPATCHER, "sandbox", LANE],
    ];
    const temporary = { TMPDIR: "/tmp", TMP: "/tmp", TEMP: "/tmp" };
    const { environment, mark } = processes.childEnvironment({
      ...COMMAND_ENVIRONMENT,
      ...plan.environment,
      ...temporary,
    });
    const child = startProcess(
      { argv, cwd: policy.root, stdin: "pipe", label: "sandbox of bash" },
      { environment, mark, clock },
    );
    processes.adopt(endingWithItsCommands(child), { guarded: true });
    const holder = createHolder(child, channels);
    await holder.ready;
    return { holder, fingerprint };
  }

  function ownFolder(): ShellFolder {
    const made = createShellFolder();
    processes.guardFolder(made.path);
    return made;
  }

  const commands = new Set<StartedProcess>();

  /** The dispatcher ignores SIGTERM: it ends when its stdin does, after the commands had their time. */
  function endingWithItsCommands(child: StartedProcess): StartedProcess {
    return {
      ...child,
      async end(graceMs) {
        await Promise.all([...commands].map((command) => command.end(graceMs)));
        child.stdin?.end();
        await child.exited;
        await child.end(0);
        folder?.remove();
        folder = undefined;
      },
    };
  }

  return {
    unavailable: () => unavailable(options.path),
    async prepare() {
      await current();
    },
    async start(command, { cwd }): Promise<OwnedProcess> {
      const { holder } = await current();
      const lane = await holder.takeLane();
      const { mark } = processes.childEnvironment();
      const started = await startLaneProcess(holder, lane, command, { cwd, mark, clock });
      commands.add(started);
      void started.exited.then(() => commands.delete(started));
      processes.adopt(started, { guarded: false });
      return started;
    },
  };
}

function bubblewrap(path: string): string | undefined {
  return (
    TRUSTED.find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile()) ??
    findProgram("bwrap", path)
  );
}

/** What can be told without starting anything. */
function unavailable(path: string): string | undefined {
  if (bubblewrap(path) === undefined) return "bubblewrap (bwrap) is not installed";
  try {
    const allowed = readFileSync("/proc/sys/user/max_user_namespaces", "utf8").trim();
    if (allowed === "0" && process.getuid?.() !== 0)
      return "user namespaces are turned off (user.max_user_namespaces is 0)";
  } catch (thrown) {
    return `/proc cannot be read (${errorMessage(thrown)})`;
  }
  return undefined;
}

/** Changes when something to be protected appears beside what was known; a few system calls. */
function fingerprintOf(root: string, secrets: readonly string[]): string {
  const parts = [".git", ".git/hooks", ".git/config", ".pi-go"].map((name) => kindOf(join(root, name)));
  for (const folder of new Set([root, ...secrets.map((path) => dirname(path))])) {
    for (const name of namesIn(folder))
      if (isSecretPath(relative(root, join(folder, name)))) parts.push(join(folder, name));
  }
  return parts.join("\0");
}

function kindOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "-" : stat.isDirectory() ? "folder" : "file";
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // gone or unreadable: nothing to protect
    return [];
  }
}
