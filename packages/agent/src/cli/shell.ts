import type { SandboxTier } from "../contract/process.ts";
import type { ProcessRegistry } from "../platform/processes/registry.ts";
import { createShell, type Shell } from "../sandbox/shell/shell.ts";
import type { Place } from "./place.ts";
import type { Settings } from "./run-setup.ts";

/** The tier of a run: what the user set, else commands may write to the project only. */
export function sandboxTier(settings: Settings): SandboxTier {
  return settings.config.sandbox.tier ?? "workspace-write";
}

/** The shell of a run, confined as configured. `readable`: parts of our own state that commands may read. */
export function createShellFor(
  settings: Settings,
  place: Pick<Place, "home" | "cwd">,
  processes: ProcessRegistry,
  options: {
    tier?: SandboxTier;
    readable?: readonly string[];
    required?: boolean;
    onInactive?(reason: string): void;
  } = {},
): Shell {
  const { sandbox } = settings.config;
  return createShell({
    tier: sandboxTier(settings),
    network: sandbox.network,
    root: place.cwd,
    home: place.home,
    ...(sandbox.caches === undefined ? {} : { caches: sandbox.caches }),
    processes,
    ...options,
  });
}
