import { OVER } from "../../contract/over.ts";
import type { OwnedProcess, ProcessResult } from "../../contract/process.ts";
import type { Clock } from "../../contract/services.ts";
import { drainOutput } from "./drain.ts";

const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;

/** Limits of {@link runBounded}; `maxBytes` counts each stream for itself. */
export interface RunLimits {
  timeoutMs: number;
  maxBytes?: number;
  signal?: AbortSignal;
}

/**
 * Waits for a started program, reading both streams to their end so that it never stands still at a full pipe. What is
 * over the limit is read and dropped. At the time limit or an abort the whole tree is ended. Never rejects.
 */
export async function runBounded(
  child: OwnedProcess,
  limits: RunLimits,
  clock: Clock,
): Promise<ProcessResult> {
  const maxBytes = limits.maxBytes ?? DEFAULT_MAX_BYTES;
  const over = new AbortController();
  let timedOut = false;
  let aborted = false;
  const stop = async (mark: () => void) => {
    if (over.signal.aborted) return;
    mark();
    await child.end();
  };
  const timer = clock.sleep(limits.timeoutMs, over.signal).then(() =>
    stop(() => {
      timedOut = true;
    }),
  );
  let aborting: Promise<void> | undefined;
  const onAbort = () => {
    aborting = stop(() => {
      aborted = true;
    });
  };
  if (limits.signal?.aborted) onAbort();
  else limits.signal?.addEventListener("abort", onAbort, { once: true });

  const reads = [collect(child.stdout, maxBytes), collect(child.stderr, maxBytes)] as const;
  const drained = Promise.all(reads.map((read) => read.done));
  const exit = await child.exited;
  await drainOutput(drained, () => reads[0].seen() + reads[1].seen(), clock);
  over.abort(OVER);
  limits.signal?.removeEventListener("abort", onAbort);
  child.detachStreams();
  await timer;
  await aborting;
  const [stdout, stderr] = reads;
  const truncated = stdout.truncated() || stderr.truncated();
  return { ...exit, stdout: stdout.bytes(), stderr: stderr.bytes(), timedOut, aborted, truncated };
}

function collect(stream: AsyncIterable<Uint8Array>, maxBytes: number) {
  const chunks: Uint8Array[] = [];
  let kept = 0;
  let seen = 0;
  let dropped = false;
  const done = (async () => {
    for await (const chunk of stream) {
      seen += chunk.length;
      const part = kept + chunk.length > maxBytes ? chunk.subarray(0, maxBytes - kept) : chunk;
      if (part.length < chunk.length) dropped = true;
      if (part.length === 0) continue;
      chunks.push(part);
      kept += part.length;
    }
  })();
  return { done, bytes: () => Buffer.concat(chunks), truncated: () => dropped, seen: () => seen };
}
