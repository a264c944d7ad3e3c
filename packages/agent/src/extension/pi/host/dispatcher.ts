import type { Clock } from "../../../contract/services.ts";
import { runAs } from "../load/running-extension.ts";
import type { PiEvent } from "../pi-types.ts";
import type { Faults } from "./faults.ts";
import type { LoadedExtension } from "./loaded-extension.ts";
import { timeBudget } from "./time-budgets.ts";

/** How one handler ended. */
export type HandlerEnd =
  | { kind: "value"; value: unknown }
  | { kind: "thrown"; error: unknown }
  | { kind: "late" }
  | { kind: "aborted" };

interface DispatchOptions {
  /** Ends every wait. */
  signal?: AbortSignal;
  /** Their `ctx`, where it is not that of a conversation. */
  contextOf?(extension: LoadedExtension): unknown;
  /** Sees each handler's result; true ends the dispatch. */
  take?(value: unknown, extension: LoadedExtension): boolean | undefined;
  /** Sees a handler that threw or was late, after it was told; true ends the dispatch. */
  failed?(end: Exclude<HandlerEnd, { kind: "value" }>, extension: LoadedExtension): boolean | undefined;
}

/**
 * Hands events to handlers: extensions in load order, handlers in the order in which they were registered, one after the other. A handler
 * that throws or takes too long is told of with its extension's name, and the next one runs.
 */
export class Dispatcher {
  readonly #extensions: () => readonly LoadedExtension[];
  readonly #contextOf: (extension: LoadedExtension) => unknown;
  readonly #faults: Faults;
  readonly #clock: Clock;

  constructor(parts: {
    extensions(): readonly LoadedExtension[];
    contextOf(extension: LoadedExtension): unknown;
    faults: Faults;
    clock: Clock;
  }) {
    this.#extensions = parts.extensions;
    this.#contextOf = parts.contextOf;
    this.#faults = parts.faults;
    this.#clock = parts.clock;
  }

  /** Whether anybody listens: what an event costs to make is paid only then. */
  has(type: string): boolean {
    return this.#extensions().some((extension) => (extension.handlers.get(type)?.length ?? 0) > 0);
  }

  /** Never rejects. */
  async dispatch(event: PiEvent, options: DispatchOptions = {}): Promise<void> {
    const { signal, take, failed, contextOf = this.#contextOf } = options;
    for (const extension of this.#extensions())
      for (const handler of [...(extension.handlers.get(event.type) ?? [])]) {
        if (signal?.aborted) return;
        const end = await this.run(extension, event.type, () => handler(event, contextOf(extension)), signal);
        if (
          end.kind === "value"
            ? this.#taken(end.value, event, extension, take, failed)
            : failed?.(end, extension)
        )
          return;
      }
  }

  /** A result can be any object: one that throws when it is read is the handler's failure. */
  #taken(
    value: unknown,
    { type }: PiEvent,
    extension: LoadedExtension,
    take: DispatchOptions["take"],
    failed: DispatchOptions["failed"],
  ): boolean | undefined {
    try {
      return take?.(value, extension);
    } catch (error) {
      this.#faults.report(extension, type, error);
      return failed?.({ kind: "thrown", error }, extension);
    }
  }

  /** Runs code of an extension within the time that `where` may take. Never rejects. */
  async run(
    extension: LoadedExtension,
    where: string,
    work: () => unknown,
    signal?: AbortSignal,
  ): Promise<HandlerEnd> {
    let value: unknown;
    try {
      value = runAs(extension, work);
    } catch (error) {
      this.#faults.report(extension, where, error);
      return { kind: "thrown", error };
    }
    if (!isPromise(value)) return { kind: "value", value };
    const over = new AbortController();
    const settled = Promise.resolve(value).then(
      (result): HandlerEnd => ({ kind: "value", value: result }),
      (error: unknown): HandlerEnd => {
        this.#faults.report(extension, where, error);
        return { kind: "thrown", error };
      },
    );
    const stop = linked(signal, over.signal);
    try {
      return await Promise.race([settled, this.#late(extension, where, stop.signal, signal)]);
    } finally {
      over.abort();
      stop.release();
    }
  }

  async #late(
    extension: LoadedExtension,
    where: string,
    stop: AbortSignal,
    signal: AbortSignal | undefined,
  ): Promise<HandlerEnd> {
    const budget = timeBudget(where);
    do await this.#clock.sleep(budget, stop);
    while (extension.dialogs.size > 0 && !stop.aborted);
    if (stop.aborted)
      return signal?.aborted ? { kind: "aborted" } : await new Promise<never>(() => undefined);
    this.#faults.note(
      extension,
      where,
      `took more than ${budget / 1_000} s in ${where}; pi goes on without it`,
    );
    return { kind: "late" };
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return (
    typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"
  );
}

/** A signal that aborts with either of two. */
function linked(one: AbortSignal | undefined, other: AbortSignal): { signal: AbortSignal; release(): void } {
  const both = new AbortController();
  const stop = () => both.abort();
  for (const each of [one, other]) {
    each?.addEventListener("abort", stop, { once: true });
    if (each?.aborted) stop();
  }
  return {
    signal: both.signal,
    release() {
      one?.removeEventListener("abort", stop);
      other.removeEventListener("abort", stop);
    },
  };
}
