import { errorMessage, isPiError, PiError } from "../../contract/errors.ts";
import type { Confinement, OwnedProcess, SandboxTier, ShellDoor } from "../../contract/process.ts";
import type { Clock } from "../../contract/services.ts";
import { blankSecretsInProc } from "../../platform/blank-secrets.ts";
import { systemClock } from "../../platform/clock.ts";
import type { ProcessRegistry } from "../../platform/processes/registry.ts";
import { findBash } from "./bash-program.ts";
import type { Confiner } from "./confiner.ts";
import { linuxConfinement } from "./linux-confinement.ts";
import { macosConfinement } from "./macos-confinement.ts";
import { startPlainCommand } from "./plain-shell.ts";
import type { SandboxPolicy } from "./sandbox-plan.ts";
import { WaitingBash } from "./waiting-bash.ts";

/** Settings of {@link createShell}. */
export interface ShellOptions extends Omit<SandboxPolicy, "tier"> {
  tier: SandboxTier;
  processes: ProcessRegistry;
  clock?: Clock;
  /** True: a command is refused where it cannot be confined (plan mode, read-only subagents). */
  required?: boolean;
  /** Told once, when confinement that looked possible turns out not to be. */
  onInactive?(reason: string): void;
  platform?: NodeJS.Platform;
}

/** A {@link ShellDoor} that can be asked before the first command. */
export interface Shell extends ShellDoor {
  /** Starts the sandbox now; then `confinement` is what really holds. Never rejects. */
  prepare(): Promise<Confinement>;
}

/**
 * Runs the commands of the `bash` tool, confined where the operating system can. Nothing happens before the first command:
 * until then `confinement` says what is to be expected from what is installed.
 */
export function createShell(options: ShellOptions): Shell {
  const { tier, processes, clock = systemClock } = options;
  const path = processes.childEnvironment().environment["PATH"] ?? "";
  let bash: string | undefined;
  let waiting: WaitingBash | undefined;
  const theBash = () => {
    bash ??= findBash(path);
    return bash;
  };
  const confiner =
    tier === "off" ? undefined : confinerFor({ ...options, tier }, { processes, clock, path, bash: theBash });
  let reason: string | undefined;
  let looked = false;

  function confinement(): Confinement {
    if (tier === "off") return { tier, active: false };
    if (!looked) {
      looked = true;
      reason =
        confiner === undefined
          ? `there is none for ${options.platform ?? process.platform}`
          : confiner.unavailable();
    }
    return reason === undefined ? { tier, active: true } : { tier, active: false, reason };
  }

  /** The confiner if this system has one; a sandbox that should work and does not is an error, never a way around. */
  async function working(): Promise<Confiner | undefined> {
    if (!confinement().active || confiner === undefined) return undefined;
    theBash();
    try {
      await confiner.prepare();
      return confiner;
    } catch (thrown) {
      if (!isPiError(thrown) || thrown.code !== "sandbox_missing") throw thrown;
      reason = errorMessage(thrown);
      options.onInactive?.(reason);
      return undefined;
    }
  }

  async function start(command: string, { cwd }: { cwd: string }): Promise<OwnedProcess> {
    const confined = await working();
    if (confined !== undefined) return confined.start(command, { cwd });
    if (tier !== "off" && options.required)
      throw new PiError({
        code: "sandbox_missing",
        message: `Commands must run in a sandbox here, and there is none: ${reason ?? "unknown"}`,
        hint: "Use the other tools, which are confined by themselves.",
      });
    blankSecretsInProc();
    waiting ??= new WaitingBash(processes, theBash(), clock);
    return waiting.run(command, cwd) ?? startPlainCommand(processes, theBash(), command, { cwd });
  }

  return {
    get confinement() {
      return confinement();
    },
    start,
    async prepare() {
      await working().catch(() => undefined);
      return confinement();
    },
  };
}

function confinerFor(
  policy: SandboxPolicy & { platform?: NodeJS.Platform },
  options: { processes: ProcessRegistry; clock: Clock; path: string; bash(): string },
): Confiner | undefined {
  const platform = policy.platform ?? process.platform;
  if (platform === "linux") return linuxConfinement(policy, options);
  return platform === "darwin" ? macosConfinement(policy, options) : undefined;
}
