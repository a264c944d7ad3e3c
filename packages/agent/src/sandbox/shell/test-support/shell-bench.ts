import { join } from "node:path";
import type { Workspace } from "@pi-ts/testkit";
import { systemClock } from "../../../platform/clock.ts";
import { createProcessRegistry, type ProcessRegistry } from "../../../platform/processes/registry.ts";
import { createShell, type Shell, type ShellOptions } from "../shell.ts";
import { type CommandRun, runCommand } from "./command-run.ts";

/** A shell on a workspace, with all of its processes ended at disposal. */
export interface ShellBench extends AsyncDisposable {
  shell: Shell;
  processes: ProcessRegistry;
  run(command: string): Promise<CommandRun>;
}

let owners = 0;

/** `environment` is added to the workspace's; the other settings replace those of a workspace-write shell. */
export function shellBench(
  ws: Workspace,
  settings: Partial<ShellOptions> = {},
  environment: Record<string, string> = {},
): ShellBench {
  const processes = createProcessRegistry({
    environment: ws.env(environment),
    ownerId: `shell-${process.pid}-${++owners}`,
    clock: systemClock,
  });
  const shell = createShell({
    tier: "workspace-write",
    network: true,
    root: ws.path,
    home: { user: ws.home, root: join(ws.home, ".pi-go") },
    processes,
    ...settings,
  });
  return {
    shell,
    processes,
    run: (command) => runCommand(shell, command, ws.path),
    [Symbol.asyncDispose]: () => processes.endAll(),
  };
}

/** Whether bubblewrap really works on this machine; the tests of confinement need it. */
export async function canConfine(): Promise<boolean> {
  if (process.platform !== "linux") return false;
  if (Bun.which("bwrap") === null) return false;
  const child = Bun.spawn(["bwrap", "--ro-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "true"], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  return (await child.exited) === 0;
}
