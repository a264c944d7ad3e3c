import { type CliWorld, LineInput, runCli, runOnTerminal } from "agentic-remem/cli";
import type { Notice } from "../contract/settings.ts";
import { engineSettings } from "../memory/engine-settings.ts";
import type { Streams } from "../modes/shared/surface.ts";
import { visibleText } from "../modes/shared/visible-text.ts";
import { systemClock } from "../platform/clock.ts";
import { isTerminal } from "../platform/terminal.ts";
import type { Place } from "./place.ts";
import type { Settings } from "./run-setup.ts";
import { VERSION } from "./version.ts";

export interface MemoryCommandOptions {
  settings: Settings;
  place: Place;
  streams: Streams;
  signal: AbortSignal;
  notices: readonly Notice[];
}

/** Runs a command line of `remem` with pi's settings, on pi's terminal. Gives the exit code. */
export async function runMemoryCommand(
  argv: readonly string[],
  { settings, place, streams, signal, notices }: MemoryCommandOptions,
): Promise<number> {
  for (const { level, message } of notices) await streams.err(`${level}: ${visibleText(message)}\n`);
  const { memory } = settings.config;
  const { NO_COLOR: noColor, TERM: term } = place.environment;
  const world: CliWorld = {
    program: "pi memory",
    version: VERSION,
    cwd: place.cwd,
    home: place.home.user,
    environment: { ...place.environment, PI_HOME: place.home.root },
    clock: systemClock,
    signal,
    settings: { ...engineSettings(memory, memory.enabled), ...(memory.enabled ? {} : { enabled: false }) },
    input: new LineInput(() => process.stdin, await isTerminal(0), signal),
    output: {
      isTerminal: streams.outIsTerminal,
      columns: streams.outIsTerminal ? (process.stdout.columns ?? 80) : 0,
      styled: streams.outIsTerminal && (noColor ?? "") === "" && term !== "dumb",
      out: streams.out,
      err: streams.err,
    },
    runOnTerminal,
  };
  return runCli(argv, world);
}
