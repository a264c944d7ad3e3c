import { PiError } from "../../contract/errors.ts";
import { OVER } from "../../contract/over.ts";
import type { OwnedProcess } from "../../contract/process.ts";
import type { Clock } from "../../contract/services.ts";
import type { ToolContext, ToolDefinition, ToolOutcome } from "../../contract/tool.ts";
import { systemClock } from "../../platform/clock.ts";
import type { BackgroundCommands } from "../shared/commands/background-commands.ts";
import { commandOutput } from "../shared/commands/command-output.ts";
import { spilledOutput } from "../shared/commands/spilled-output.ts";
import { failureOf, found, refused } from "../shared/outcome.ts";
import { bashDescription } from "./bash.prompt.ts";
import { commandReport, type Ending } from "./command-report.ts";

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;

interface BashInput {
  command: string;
  timeout?: number;
  background?: boolean;
}

/** Runs commands of the model. `background` is the session's store, shared with bash-output and bash-kill. */
export function bashTool(options: {
  background: BackgroundCommands;
  clock?: Clock;
}): ToolDefinition<BashInput> {
  const { background, clock = systemClock } = options;
  return {
    name: "bash",
    kind: "run",
    description: bashDescription,
    input: {
      type: "object",
      properties: {
        command: { type: "string" },
        timeout: { type: "integer", description: "ms, default 120000, max 600000" },
        background: {
          type: "boolean",
          description: "Return at once with an id for bash-output and bash-kill",
        },
      },
      required: ["command"],
    },
    aliases: { cmd: "command", script: "command", timeout_ms: "timeout", run_in_background: "background" },
    serial: true,
    async run(input, context) {
      const problem = problemOf(input);
      if (problem !== undefined) return refused(problem);
      try {
        if (input.background) return await startInBackground(input, context, background);
        return await runToItsEnd(input, context, clock);
      } catch (thrown) {
        return failureOf(thrown);
      }
    },
  };
}

function problemOf(input: BashInput): string | undefined {
  if (input.command.trim() === "") return "The command is empty. Give the command to run.";
  if (input.command.includes("\0")) return "The command contains a NUL character, which bash cannot take.";
  if (input.timeout !== undefined && !(input.timeout >= 1))
    return `timeout is ${input.timeout}; it must be at least 1 (milliseconds). Leave it out for ${DEFAULT_TIMEOUT_MS}.`;
  return undefined;
}

async function startInBackground(
  input: BashInput,
  context: ToolContext,
  background: BackgroundCommands,
): Promise<ToolOutcome> {
  background.checkRoom();
  const child = await context.shell.start(input.command, { cwd: context.cwd });
  const added = background.add(input.command, child, context.spill);
  const ignored = input.timeout === undefined ? "" : "\n[timeout does not apply to background commands]";
  return found(
    `Started as ${added.id}. Read its output with bash-output, end it with bash-kill; it ends with the session.${ignored}`,
    { handle: added.id, running: true, command: input.command, stdout: "", stderr: "" },
  );
}

async function runToItsEnd(input: BashInput, context: ToolContext, clock: Clock): Promise<ToolOutcome> {
  const { signal } = context;
  if (signal.aborted)
    throw new PiError({ code: "aborted", message: "The command was not started: interrupted" });
  const asked = input.timeout ?? DEFAULT_TIMEOUT_MS;
  const timeoutMs = Math.min(asked, MAX_TIMEOUT_MS);
  const child = await context.shell.start(input.command, { cwd: context.cwd });
  const spilled = spilledOutput(context.spill, "bash");
  const output = commandOutput(child, { spilled, progress: (delta) => context.progress(delta) });
  const startedAt = clock.now();

  const ending = await waitForEnd(child, timeoutMs, signal, clock);
  const notes: string[] = [];
  if (asked > timeoutMs) notes.push(`timeout ${asked} ms is over the limit: ${MAX_TIMEOUT_MS} ms were used`);
  if (ending.kind === "exit") {
    const settled = await output.settled(clock);
    const left = child.survivorLabels?.() ?? [];
    if (!settled || left.length > 0) notes.push(leftRunning(left, settled));
  }
  child.detachStreams();
  await output.ended;
  const rendered = output.render();
  notes.push(...confinementNotes(context, ending, rendered.text));
  return commandReport({
    ending,
    output: rendered,
    notes,
    durationMs: clock.now() - startedAt,
  });
}

/** Until the shell exits, the time is up or the user interrupts; in the latter two the whole tree is gone on return. */
async function waitForEnd(
  child: OwnedProcess,
  timeoutMs: number,
  signal: AbortSignal,
  clock: Clock,
): Promise<Ending> {
  const enough = new AbortController();
  const first = await Promise.race([
    child.exited.then((exit) => ({ kind: "exit" as const, exit })),
    clock.sleep(timeoutMs, AbortSignal.any([signal, enough.signal])).then(() => undefined),
  ]);
  enough.abort(OVER);
  if (first !== undefined) return first;
  await child.end();
  return signal.aborted ? { kind: "aborted" } : { kind: "timeout", timeoutMs };
}

function leftRunning(left: readonly string[], settled: boolean): string {
  const which = left.length === 0 ? "a process of this command" : left.join("; ");
  const rest = settled ? "" : "; it holds the output open, and what it prints from now on is not shown";
  return `still running in the background: ${which}${rest}. It ends with the session`;
}

/** A refusal by the sandbox looks like a broken machine: say which it is. */
function confinementNotes(context: ToolContext, ending: Ending, text: string): string[] {
  const { confinement } = context.shell;
  if (!confinement.active || (ending.kind === "exit" && ending.exit.code === 0)) return [];
  const notes: string[] = [];
  const writable =
    confinement.tier === "read-only" ? "only $TMPDIR is" : "only the project, $TMPDIR and package caches are";
  if (/read-only file system/i.test(text) || /[.]git\/config: Device or resource busy/.test(text))
    notes.push(`sandbox: ${writable} writable for commands; .git/hooks, .git/config and .pi-go are not`);
  if (/can only add regular files|unsupported file type/i.test(text) || secretDenied(context, text))
    notes.push("sandbox: files with secrets (.env, keys) cannot be read or staged by commands");
  return notes;
}

/** A denied file counts only when it is a secret one: other files are denied by their modes. */
function secretDenied({ files }: ToolContext, text: string): boolean {
  for (const [, name = ""] of text.matchAll(/([^\s:'"`]+)['"`]?: permission denied/gi))
    if (files.isSecret(name)) return true;
  return false;
}
