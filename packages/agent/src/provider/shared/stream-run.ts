/** One run of a stream, the same for every wire: open, read, end once, never throw. */
import type { AssistantMessage, AssistantPart, Usage } from "../../contract/messages.ts";
import type { ModelError, ModelEvent } from "../../contract/model.ts";
import { abortedError, endedEarly } from "./network-error.ts";

/** Builds an answer out of a wire's events. All methods are synchronous and never throw for what a service may send. */
export interface AnswerReader<Event> {
  /** Takes one event and gives what it means for the loop; `end` and `error` are not among them. */
  take(event: Event): ModelEvent[];
  /** Set once the terminal event was seen: nothing that follows can change the answer. */
  readonly complete: boolean;
  /** Set when the service reported an error inside of the stream. */
  readonly failure: ModelError | undefined;
  /** The whole answer; only called when `complete`. */
  message(): AssistantMessage;
  /** What has arrived so far, in a form that may be kept. */
  partial(): AssistantPart[];
  /** Tokens, as far as the service has told. */
  usage(): Usage | undefined;
  /** What the service did silently, for people; only asked for with a whole answer. */
  warnings?(): string[];
}

/** How long the rest of a complete answer may take; reading it to its end keeps the connection usable for the next request. */
const DRAIN_MS = 250;

async function drain(iterator: AsyncIterator<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), DRAIN_MS);
  });
  const rest = async (): Promise<boolean> => {
    while (!(await iterator.next()).done);
    return true;
  };
  // What fails after the terminal event can no longer hurt the answer.
  const ended = await Promise.race([rest().catch(() => true), limit]);
  clearTimeout(timer);
  if (!ended) close(iterator);
}

/** Gives the connection back. Not awaited, since closing waits for a read that may hang; what it throws is of no use any more. */
function close(iterator: AsyncIterator<unknown> | undefined): void {
  iterator?.return?.().catch(() => undefined);
}

/**
 * Reads the events that `open` gives into `reader`. Ends with `end` only when the terminal event was seen; with `error`
 * and the partial answer when the service failed, the stream was cut, or `signal` was aborted. `describe` classifies what was thrown.
 */
export async function* runStream<Event>(run: {
  provider: string;
  signal: AbortSignal;
  open: () => Promise<AsyncIterable<Event>>;
  reader: AnswerReader<Event>;
  describe: (thrown: unknown) => ModelError;
}): AsyncGenerator<ModelEvent, void, void> {
  const { reader, signal } = run;
  const failed = (error: ModelError): ModelEvent => {
    const usage = reader.usage();
    const shown = signal.aborted ? abortedError(run.provider) : error;
    return { type: "error", error: shown, partial: reader.partial(), ...(usage && { usage }) };
  };
  let iterator: AsyncIterator<Event> | undefined;
  let finished = false;
  try {
    if (signal.aborted) {
      finished = true;
      yield failed(abortedError(run.provider));
      return;
    }
    iterator = (await run.open())[Symbol.asyncIterator]();
    for (;;) {
      const next = await iterator.next();
      if (next.done || signal.aborted) break;
      yield* reader.take(next.value);
      if (reader.complete || reader.failure) break;
    }
    finished = true;
    if (reader.failure) {
      close(iterator);
      yield failed(reader.failure);
    } else if (reader.complete && !signal.aborted) {
      await drain(iterator);
      const warnings = reader.warnings?.() ?? [];
      yield { type: "end", message: reader.message(), ...(warnings.length > 0 && { warnings }) };
    } else {
      close(iterator);
      yield failed(endedEarly(run.provider));
    }
  } catch (thrown) {
    finished = true;
    yield failed(run.describe(thrown));
  } finally {
    // The consumer left early.
    if (!finished) close(iterator);
  }
}
