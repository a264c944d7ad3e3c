import type { LoadedExtension } from "./loaded-extension.ts";

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
    const off = () => {
      const rest = (this.#listeners.get(channel) ?? []).filter((each) => each !== listener);
      this.#listeners.set(channel, rest);
    };
    extension.cleanups.push(off);
    return off;
  }

  emit(channel: string, data: unknown): void {
    for (const { extension, hear } of this.#listeners.get(channel) ?? [])
      this.#run(extension, `a listener to "${channel}"`, () => hear(data));
  }
}
