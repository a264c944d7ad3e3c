import type { CapturedEntry, CaptureSink } from "../../core/capture/captured-entry.ts";
import type { Outbox } from "./outbox.ts";

/**
 * Leaves what a short run has captured to the next process: to open a store takes longer than such a run may. Only what the outbox
 * cannot take is stored at once.
 */
export class OutboxSink implements CaptureSink {
  readonly #outbox: Outbox;
  readonly #store: CaptureSink;
  readonly #refused = new Set<string>();

  constructor(outbox: Outbox, store: CaptureSink) {
    this.#outbox = outbox;
    this.#store = store;
  }

  keep(entries: readonly CapturedEntry[]): number {
    const refused = this.#outbox.keep(entries);
    // It does not say which; to store one that it has is no harm.
    if (refused > 0) for (const { id } of entries) this.#refused.add(id);
    return refused;
  }

  discard(entries: readonly CapturedEntry[]): void {
    this.#outbox.done(entries);
  }

  async store(entries: readonly CapturedEntry[]): Promise<{ stored: number; joined: number }> {
    const refused = entries.filter(({ id }) => this.#refused.has(id));
    const kept = entries.length - refused.length;
    if (refused.length === 0) return { stored: kept, joined: 0 };
    const { stored, joined } = await this.#store.store(refused);
    return { stored: kept + stored, joined };
  }
}
