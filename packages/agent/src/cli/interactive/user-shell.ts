import type { HostChange } from "../../contract/interactive.ts";
import type { UserMessage } from "../../contract/messages.ts";
import type { OwnedProcess, ProcessExit } from "../../contract/process.ts";
import { systemClock } from "../../platform/clock.ts";
import { newId } from "../../platform/ids.ts";
import { createShell } from "../../sandbox/shell/shell.ts";
import { commandOutput } from "../../tools/shared/commands/command-output.ts";
import { spilledOutput } from "../../tools/shared/commands/spilled-output.ts";
import type { App } from "../app.ts";
import type { Place } from "../place.ts";

/** Characters of a command's output that are shown while it runs. */
const MOST_LIVE_OUTPUT = 64 * 1024;

/** How a command of the person's ended. */
export interface UserCommandEnd {
  exit: ProcessExit;
  interrupted: boolean;
  seconds: number;
  /** Its output as the model would get it, bounded, with the place of the whole. */
  text: string;
}

/**
 * Runs a command that a person typed (`!command`): with the person's own rights, so not confined, but owned like every child: it ends
 * with an interrupt and with us. `taken`: it is run by an extension. `progress` gets its output as it comes. Rejects with a PiError when it cannot be started.
 */
async function runUserCommand(
  app: App,
  place: Place,
  command: string,
  taken: OwnedProcess | null,
  signal: AbortSignal,
  progress: (delta: string) => void,
): Promise<UserCommandEnd> {
  const shell = createShell({
    tier: "off",
    network: true,
    root: place.cwd,
    home: place.home,
    processes: app.processes,
  });
  const child: OwnedProcess = taken ?? (await shell.start(command, { cwd: place.cwd }));
  const startedAt = systemClock.now();
  const output = commandOutput(child, { spilled: spilledOutput(app.doors.spill, "command"), progress });
  const stop = () => void child.end();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const exit = await child.exited;
  await output.settled(systemClock);
  signal.removeEventListener("abort", stop);
  child.detachStreams();
  await output.ended;
  return {
    exit,
    interrupted: signal.aborted,
    seconds: (systemClock.now() - startedAt) / 1_000,
    text: output.render().text,
  };
}

/** The same, with its output told as it comes and once more, bounded, at its end. */
export async function showUserCommand(
  app: App,
  place: Place,
  { command, kept }: { command: string; kept: boolean },
  signal: AbortSignal,
  show: (change: HostChange) => void,
): Promise<UserCommandEnd> {
  // Before it is shown: an extension that fails keeps it from being run.
  const typed = { command, cwd: place.cwd, excluded: !kept };
  const taken = (await app.extensions.host?.userBash(typed, signal)) ?? null;
  const shown = { type: "shell", id: newId(), command, kept } as const;
  let output = "";
  show({ ...shown, output });
  const end = await runUserCommand(app, place, command, taken, signal, (delta) => {
    output = (output + delta).slice(-MOST_LIVE_OUTPUT);
    show({ ...shown, output });
  });
  show({ ...shown, output: end.text, exitCode: end.exit.code, seconds: end.seconds });
  return end;
}

/** What the model is told of a command that the person ran. */
export function userCommandMessage(command: string, end: UserCommandEnd): UserMessage {
  const outcome = end.interrupted
    ? "interrupted"
    : end.exit.code === null
      ? `ended by ${end.exit.signal ?? "a signal"}`
      : `exit code ${end.exit.code}`;
  const text = [`$ ${command}`, end.text.trimEnd(), `(${outcome})`].filter((line) => line !== "").join("\n");
  return { role: "user", origin: "shell", parts: [{ type: "text", text }] };
}
