import { errorMessage } from "../contract/errors.ts";
import type { CommandEnd } from "../plan/run/run-ports.ts";
import { systemClock } from "../platform/clock.ts";
import { newId } from "../platform/ids.ts";
import { runBounded } from "../platform/processes/bounded-run.ts";
import { createProcessRegistry } from "../platform/processes/registry.ts";
import { withoutRepository } from "../platform/repository-variables.ts";
import type { AppParts } from "./app-parts.ts";
import { createShellFor } from "./shell.ts";

/** Of each stream. */
const MOST_BYTES = 256 * 1024;

/**
 * Runs a command line in a folder as the `bash` tool would, confined to it, and ends everything that it started. Rejects with a PiError
 * when there is no bash or no sandbox where one is needed.
 */
export async function confinedCommand(
  parts: Pick<AppParts, "settings" | "home" | "environment" | "chosen">,
  {
    folder,
    command,
    signal,
    limitMs,
  }: { folder: string; command: string; signal: AbortSignal; limitMs: number },
): Promise<CommandEnd> {
  const { settings, home, environment, chosen } = parts;
  const { environment: allow } = settings.config.sandbox;
  const processes = createProcessRegistry({
    // The folder is a copy: what it calls git on is that, not the repository whose hook may have started us.
    environment: withoutRepository(environment),
    ownerId: newId(),
    clock: systemClock,
    ...(allow === undefined ? {} : { allow }),
    secretValues: chosen.secret === null ? [] : [chosen.secret],
  });
  const begun = systemClock.now();
  try {
    const shell = createShellFor(settings, { home, cwd: folder }, processes);
    const child = await shell.start(command, { cwd: folder });
    const limits = { timeoutMs: limitMs, maxBytes: MOST_BYTES, signal };
    const {
      code,
      signal: killer,
      stdout,
      stderr,
      timedOut,
      aborted,
    } = await runBounded(child, limits, systemClock);
    const texts = [stdout, stderr].map((bytes) => Bun.stripANSI(new TextDecoder().decode(bytes)).trimEnd());
    return {
      passed: code === 0 && !timedOut && !aborted,
      how: aborted
        ? "it was stopped"
        : timedOut
          ? `it took longer than ${limitMs / 1_000} s and was ended`
          : code === null
            ? `it was ended by ${killer ?? "a signal"}`
            : `exit code ${code}`,
      output: texts.filter((text) => text !== "").join("\n"),
      durationMs: systemClock.now() - begun,
    };
  } catch (thrown) {
    const how = `it could not be run: ${errorMessage(thrown)}`;
    return { passed: false, how, output: "", durationMs: systemClock.now() - begun };
  } finally {
    await processes.endAll();
  }
}
