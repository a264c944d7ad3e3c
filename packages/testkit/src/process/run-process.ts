import { type ProcessEnd, type ProcessOptions, startProcess } from "./started-process.ts";

export interface ProcessResult extends ProcessEnd {
  stdout: string;
  stderr: string;
  durationMs: number;
}

/**
 * Runs a process to its end and gives all of its output. After `timeoutMs` (default 90 s, a guard against hanging
 * only) its whole group is killed and the promise rejects with what it had printed.
 */
export async function runProcess(
  argv: readonly string[],
  options: ProcessOptions & { stdin?: string | Uint8Array; timeoutMs?: number } = {},
): Promise<ProcessResult> {
  const started = performance.now();
  await using running = startProcess(argv, options);
  const limit = options.timeoutMs ?? 90_000;
  let guard: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    guard = setTimeout(() => {
      const told = `stdout: ${running.stdout.slice(-2000)}\nstderr: ${running.stderr.slice(-2000)}`;
      reject(new Error(`${argv.join(" ")} did not end within ${limit} ms\n${told}`));
    }, limit);
  });
  try {
    const ended = await Promise.race([running.exited, late]);
    return {
      ...ended,
      stdout: running.stdout,
      stderr: running.stderr,
      durationMs: performance.now() - started,
    };
  } finally {
    clearTimeout(guard);
  }
}
