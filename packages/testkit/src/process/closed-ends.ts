import type { ProcessResult } from "./run-process.ts";
import { type ProcessOptions, startProcess } from "./started-process.ts";

/**
 * Runs a process whose stdout reader goes away, as in `pi ... | head -1`: after the first output (or the first that
 * matches `after`) the pipe is closed and every further write fails with EPIPE. Gives how it ended and its stderr.
 */
export async function stdoutClosedEarly(
  argv: readonly string[],
  options: ProcessOptions & { after?: RegExp } = {},
): Promise<ProcessResult> {
  const started = performance.now();
  await using running = startProcess(argv, options);
  await running.waitForOutput(options.after ?? /[\s\S]/);
  running.closeStdout();
  const ended = await running.exited;
  return {
    ...ended,
    stdout: running.stdout,
    stderr: running.stderr,
    durationMs: performance.now() - started,
  };
}

/**
 * Runs a process whose stdin comes in pieces, `gapMs` apart (default 20), and is closed after the last one. The gaps
 * make a slow writer; no outcome may depend on their length.
 */
export async function slowStdin(
  argv: readonly string[],
  inputs: readonly (string | Uint8Array)[],
  options: Omit<ProcessOptions, "stdin" | "input"> & { gapMs?: number } = {},
): Promise<ProcessResult> {
  const started = performance.now();
  await using running = startProcess(argv, { ...options, input: "open" });
  for (const piece of inputs) {
    await new Promise((resolve) => setTimeout(resolve, options.gapMs ?? 20));
    running.write(piece);
  }
  running.closeStdin();
  const ended = await running.exited;
  return {
    ...ended,
    stdout: running.stdout,
    stderr: running.stderr,
    durationMs: performance.now() - started,
  };
}
