import type { Confinement, SandboxTier, ShellDoor } from "../../contract/process.ts";
import type { ProcessRegistry } from "../../platform/processes/registry.ts";
import { findBash } from "./bash-program.ts";
import { startPlainCommand } from "./plain-shell.ts";

/** Settings of {@link createShell}. */
export interface ShellOptions {
  tier: SandboxTier;
  processes: ProcessRegistry;
}

/** Runs the commands of the `bash` tool. */
export function createShell(options: ShellOptions): ShellDoor {
  const confinement: Confinement =
    options.tier === "off"
      ? { tier: "off", active: false }
      : { tier: options.tier, active: false, reason: "this build has no confinement yet" };
  let bash: string | undefined;
  return {
    confinement,
    async start(command, { cwd }) {
      bash ??= findBash(options.processes.childEnvironment().environment["PATH"] ?? "");
      return startPlainCommand(options.processes, bash, command, { cwd });
    },
  };
}
