import type { OwnedProcess } from "../../../contract/process.ts";
import type { Clock } from "../../../contract/services.ts";
import { drainOutput } from "../../../platform/processes/drain.ts";
import { liveText } from "./live-text.ts";
import { OUTPUT_LIMIT, type OutputCapture, outputCapture } from "./output-capture.ts";
import type { SpilledOutput } from "./spilled-output.ts";

/** Both streams as the model gets them. */
export interface RenderedOutput {
  stdout: string;
  stderr: string;
  cut: boolean;
  /** Both in one text, with labels only when both say something; empty when nothing was written. */
  text: string;
}

/** Both output streams of one command, read to their end in bounded memory. */
export interface CommandOutput {
  /** Resolves when both streams have ended or were detached. Never rejects. */
  readonly ended: Promise<void>;
  readonly empty: boolean;
  /** Calls back once at the next piece of output, if there is one. */
  onNext(callback: () => void): void;
  /**
   * After the exit: waits for the rest, which a surviving child may hold back for ever; so no longer than a short grace,
   * and as long as output keeps coming. True when both streams have ended.
   */
  settled(clock: Clock): Promise<boolean>;
  render(): RenderedOutput;
  /** Forgets what was rendered; later output starts afresh. */
  restart(): void;
}

/** Starts reading the streams of `child`. `progress` gets live text; `spilled` gets all bytes. */
export function commandOutput(
  child: OwnedProcess,
  options: { spilled: SpilledOutput; progress?: (delta: string) => void },
): CommandOutput {
  const { spilled, progress } = options;
  const stdout = outputCapture();
  const stderr = outputCapture();
  let callbacks: (() => void)[] = [];
  let bytesSeen = 0;

  function wake(): void {
    const due = callbacks;
    callbacks = [];
    for (const callback of due) callback();
  }

  async function read(stream: AsyncIterable<Uint8Array>, capture: OutputCapture): Promise<void> {
    const live = progress === undefined ? undefined : liveText(progress);
    for await (const bytes of stream) {
      bytesSeen += bytes.length;
      spilled.push(bytes);
      capture.push(bytes, live);
      if (callbacks.length > 0) wake();
    }
    capture.end();
  }

  const ended = Promise.allSettled([read(child.stdout, stdout), read(child.stderr, stderr)]).then(() => {
    spilled.close();
    callbacks = [];
  });

  return {
    ended,
    get empty() {
      return stdout.empty && stderr.empty;
    },
    onNext(callback) {
      callbacks.push(callback);
    },
    settled: (clock) => drainOutput(ended, () => bytesSeen, clock),
    render() {
      const where = () => spilled.where();
      const [forStdout, forStderr] = shares(stdout.textBytes, stderr.textBytes);
      const out = stdout.render(forStdout, where);
      const errors = stderr.render(forStderr, where);
      const text =
        out.text !== "" && errors.text !== ""
          ? `stdout:\n${out.text}\nstderr:\n${errors.text}`
          : out.text || errors.text;
      return { stdout: out.text, stderr: errors.text, cut: out.cut || errors.cut, text };
    },
    restart() {
      stdout.restart();
      stderr.restart();
    },
  };
}

/** The limit is for both: each may have half, and what one does not use the other gets. */
function shares(stdout: number, stderr: number): [number, number] {
  const half = OUTPUT_LIMIT / 2;
  const forStderr = Math.min(stderr, Math.max(half, OUTPUT_LIMIT - stdout));
  return [OUTPUT_LIMIT - forStderr, forStderr];
}
