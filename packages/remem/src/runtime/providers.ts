import { MemoryEngine } from "../core/engine.ts";
import type { MemoryProvider } from "../core/orchestrator/memory-provider.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Embedder } from "../core/ports/embedder.ts";
import type { MemoryStore } from "../core/ports/memory-store.ts";
import type { Scheduler } from "../core/ports/scheduler.ts";
import type { OpenedStore } from "./memory.ts";
import type { StoreDoor } from "./store-door.ts";

/** The primary provider answers from one file on this machine, others may be far away. */
const TIMEOUT_MS = { sqlite: 500, markdown: 1_000, postgres: 2_000 } as const;

/** A store behind its door, as one provider. */
export interface ProviderDoor {
  readonly id: string;
  readonly kind: keyof typeof TIMEOUT_MS;
  readonly door: StoreDoor;
  readonly primary: boolean;
  readonly timeoutMs?: number;
}

/** Makes providers of open stores; each keeps its engine, and with it its loaded vectors. */
export class Providers {
  readonly #doors: readonly ProviderDoor[];
  readonly #clock: Clock;
  readonly #scheduler: Scheduler;
  readonly #embedder: () => Promise<Embedder | undefined>;
  readonly #engines = new WeakMap<MemoryStore, Promise<MemoryEngine>>();

  constructor(
    doors: readonly ProviderDoor[],
    parts: {
      readonly clock: Clock;
      readonly scheduler: Scheduler;
      readonly embedder: () => Promise<Embedder | undefined>;
    },
  ) {
    this.#doors = doors;
    this.#clock = parts.clock;
    this.#scheduler = parts.scheduler;
    this.#embedder = parts.embedder;
  }

  /** All providers whose store is there. One that cannot be opened is among them and rejects, so that it is told of. Never rejects. */
  async all(): Promise<MemoryProvider[]> {
    const made = await Promise.all(this.#doors.map((one) => this.#provider(one)));
    return made.filter((provider) => provider !== undefined);
  }

  /** The engine of a store. */
  engine({ memories: store, state: leases }: OpenedStore): Promise<MemoryEngine> {
    let engine = this.#engines.get(store);
    if (engine === undefined) {
      const options = { store, clock: this.#clock, scheduler: this.#scheduler };
      engine = this.#embedder().then(async (embedder) => {
        if (embedder === undefined) return new MemoryEngine(options);
        return new MemoryEngine({
          ...options,
          embedder,
          leases,
          earlier: await this.#servingBefore(embedder),
        });
      });
      this.#engines.set(store, engine);
    }
    return engine;
  }

  /** A service or a model fills its space behind the work; until then the vectors of a store that began with the default ones serve. */
  async #servingBefore({ immediate }: Embedder): Promise<Embedder[]> {
    if (immediate) return [];
    const { StaticEmbedder } = await import("../embed/static-embedder.ts");
    return [new StaticEmbedder()];
  }

  async #provider({ id, kind, door, primary, timeoutMs }: ProviderDoor): Promise<MemoryProvider | undefined> {
    const about = { id, primary, timeoutMs: timeoutMs ?? TIMEOUT_MS[kind] };
    try {
      const opened = await door.read();
      if (opened === undefined) return undefined;
      return { ...about, store: opened.memories, engine: await this.engine(opened) };
    } catch (error) {
      const reject = (): Promise<never> => Promise.reject(error);
      return {
        ...about,
        engine: { search: reject },
        store: { get: reject, list: reject, timeline: reject, summaries: reject, status: reject },
      };
    }
  }
}
