import { existsSync } from "node:fs";
import { StoreError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { OpenedStore } from "./memory.ts";
import type { StoreOpener, StoreRequest } from "./memory-options.ts";

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;

/**
 * The one door to a store: opened at the first need, made only to write, tried again after a while when it could not be opened.
 * A try blocks this thread while another program holds the store, so tries are rare.
 */
export class StoreDoor {
  readonly #open: StoreOpener;
  readonly #request: StoreRequest;
  readonly #clock: Clock;
  #opening: Promise<OpenedStore | undefined> | undefined;
  #opened: OpenedStore | undefined;
  #failure: { readonly error: unknown; readonly until: number } | undefined;
  #waitMs = FIRST_WAIT_MS;
  #closed = false;

  constructor(open: StoreOpener, request: StoreRequest, clock: Clock) {
    this.#open = open;
    this.#request = request;
    this.#clock = clock;
  }

  /** The store when it is open. */
  get opened(): OpenedStore | undefined {
    return this.#opened;
  }

  /** Why it could not be opened last, as long as it is not tried again. */
  get failure(): unknown {
    return this.#failure?.error;
  }

  /** The store if there is one; a missing one is not made. Rejects with a StoreError. */
  async read(): Promise<OpenedStore | undefined> {
    if (this.#opened !== undefined) return this.#opened;
    if (this.#request.kind !== "postgres" && !existsSync(this.#request.path)) return undefined;
    return this.#tryOpen();
  }

  /** The store, made when it is missing. Rejects with a StoreError. */
  async write(): Promise<OpenedStore> {
    if (this.#request.access === "read")
      throw new StoreError(
        "read_only",
        "the memory store was opened for reading",
        "open memory for writing to change it",
      );
    const opened = this.#opened ?? (await this.#tryOpen());
    if (opened !== undefined) return opened;
    throw new StoreError("unavailable", "the memory store cannot be made", "check that its folder exists");
  }

  /** Closes what is open or being opened. Never throws. */
  async close(): Promise<void> {
    this.#closed = true;
    const opened = this.#opened ?? (await this.#opening?.catch(() => undefined));
    this.#opened = undefined;
    this.#opening = undefined;
    try {
      await opened?.memories.close();
    } catch {
      // The file is consistent whatever closing says.
    }
  }

  #tryOpen(): Promise<OpenedStore | undefined> {
    if (this.#closed)
      return Promise.reject(new StoreError("unavailable", "memory is closed", "open memory again to use it"));
    const failure = this.#failure;
    if (failure !== undefined && this.#clock.now() < failure.until) return Promise.reject(failure.error);
    this.#opening ??= this.#open(this.#request).then(
      (opened) => {
        this.#opening = undefined;
        this.#failure = undefined;
        this.#waitMs = FIRST_WAIT_MS;
        if (!this.#closed) this.#opened = opened;
        return opened;
      },
      (error: unknown) => {
        this.#opening = undefined;
        this.#failure = { error, until: this.#clock.now() + this.#waitMs };
        this.#waitMs = Math.min(LONGEST_WAIT_MS, this.#waitMs * 2);
        throw error;
      },
    );
    return this.#opening;
  }
}
