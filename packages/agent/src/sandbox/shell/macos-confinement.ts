import { existsSync } from "node:fs";
import type { ProcessRegistry } from "../../platform/processes/registry.ts";
import type { Confiner } from "./confiner.ts";
import { startPlainCommand } from "./plain-shell.ts";
import { createShellFolder, type ShellFolder } from "./private-folder.ts";
import { withoutPublishedKeys } from "./published-keys.ts";
import { planSandbox, type SandboxPolicy } from "./sandbox-plan.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";
import { createSecretScan } from "./secret-scan.ts";

const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

/** Confinement by macOS's own `sandbox-exec`: each command under a profile made anew, so that it sees today's secrets. */
export function macosConfinement(
  policy: SandboxPolicy,
  options: { processes: ProcessRegistry; bash(): string },
): Confiner {
  let folder: ShellFolder | undefined;
  const scan = createSecretScan(policy.root);
  let found: string[] | undefined;
  let secrets: string[] = [];

  function ownFolder(): ShellFolder {
    const made = createShellFolder();
    options.processes.ownFolder(made.path);
    return made;
  }

  async function prepare(): Promise<void> {
    const now = await scan.find();
    if (now.join("\0") !== found?.join("\0")) {
      secrets = await withoutPublishedKeys(now, policy.root, options.processes);
      found = now;
    }
    folder ??= ownFolder();
  }

  return {
    unavailable: () => (existsSync(SANDBOX_EXEC) ? undefined : `${SANDBOX_EXEC} is missing`),
    prepare,
    async start(command, { cwd }) {
      await prepare();
      const temporary = folder!.temporary;
      const plan = planSandbox(policy, secrets, temporary);
      return startPlainCommand(options.processes, options.bash(), command, {
        cwd,
        prefix: [SANDBOX_EXEC, "-p", seatbeltProfile(plan, temporary)],
        env: { ...plan.environment, TMPDIR: temporary, TMP: temporary, TEMP: temporary },
      });
    },
  };
}
