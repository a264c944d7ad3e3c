import type { LoadedExtension } from "./loaded-extension.ts";

/** Emits within emits; more is no conversation any more. */
const MOST_DEPTH = 100;

type Listener = (data: unknown) => unknown;

/** `pi.events`: how extensions talk to each other. A listener that throws is told of, and the others hear all the same. */
export class EventBus {
  readonly #listeners = new Map<string, { extension: LoadedExtension; hear: Listener }[]>();
  readonly #run: (extension: LoadedExtension, where: string, work: () => unknown) => void;

  constructor(run: (extension: LoadedExtension, where: string, work: () => unknown) => void) {
    this.#run = run;
  }

  on(extension: LoadedExtension, channel: string, hear: Listener): () => void {
    const listener = { extension, hear };
    this.#listeners.set(channel, [...(this.#listeners.get(channel) ?? []), listener]);
    return extension.undoable(() => {
      const rest = (this.#listeners.get(channel) ?? []).filter((each) => each !== listener);
      if (rest.length > 0) this.#listeners.set(channel, rest);
      else this.#listeners.delete(channel);
    });
  }

  /** Listeners that make each other talk without an end are stopped, with an Error to the one that spoke last. */
  emit(channel: string, data: unknown): void {
    if (this.#depth >= MOST_DEPTH)
      throw new Error(`listeners to "${channel}" make each other talk without an end`);
    this.#depth++;
    try {
      for (const { extension, hear } of this.#listeners.get(channel) ?? [])
        this.#run(extension, `a listener to "${channel}"`, () => hear(data));
    } finally {
      this.#depth--;
    }
  }

  #depth = 0;
}
