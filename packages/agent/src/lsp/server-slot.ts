import { errorMessage, isPiError } from "../contract/errors.ts";
import type { NotLooked } from "../contract/language-servers.ts";
import { OVER } from "../contract/over.ts";
import type { Clock } from "../contract/services.ts";
import type { LanguageServer, StartedServer } from "./language-server.ts";
import type { LanguageServerLimits } from "./limits.ts";

/** A server that ran for so long before it fell is forgiven its earlier falls. */
const FORGIVEN_AFTER_MS = 5 * 60_000;

export interface SlotParts {
  name: string;
  /** Loads what starts the program; that may throw a PiError. */
  load(): Promise<() => StartedServer>;
  clock: Clock;
  limits: LanguageServerLimits;
  /** Hears of each server that got ready. */
  onReady(server: LanguageServer): void;
}

type Running = { started: StartedServer; at: number; server: LanguageServer | undefined };

/** The place of one server for one root: started when it is needed, again after a crash (a bounded number of times), ended when nobody needs it. */
export class ServerSlot {
  readonly #parts: SlotParts;
  readonly #closing = new AbortController();
  #running: Running | undefined;
  #crashes = 0;
  #lastReason = "";
  #notBefore = 0;
  #usedAt = 0;
  #idling = false;

  constructor(parts: SlotParts) {
    this.#parts = parts;
  }

  /** The server if it is ready now; starts nothing. */
  get ready(): LanguageServer | undefined {
    return this.#running?.started.over === true ? undefined : this.#running?.server;
  }

  /** For how long it has been starting; 0 when it is not. Milliseconds. */
  get startingMs(): number {
    const running = this.#running;
    return running === undefined || running.server !== undefined ? 0 : this.#parts.clock.now() - running.at;
  }

  /** The server, started if need be; waits until it is ready or has failed. Never rejects; the caller bounds the wait. */
  async get(): Promise<LanguageServer | NotLooked> {
    const { clock, limits, name } = this.#parts;
    this.#usedAt = clock.now();
    const start = await this.#parts.load();
    const old = this.#running;
    if (old?.started.over === true) await this.#fell(old, await old.started.gone);
    if ((this.ready?.overdueMs ?? 0) > limits.unresponsiveMs)
      await this.#fell(
        this.#running!,
        `it has not answered for ${Math.round(this.ready!.overdueMs / 1000)} s`,
      );
    if (this.#running === undefined) {
      const refusal = this.#refusal();
      if (refusal !== null) return refusal;
      try {
        this.#begin(start);
      } catch (thrown) {
        this.#crashed(errorMessage(thrown));
        return this.#failure(isPiError(thrown) ? thrown.hint : undefined);
      }
    }
    const running = this.#running!;
    const got = await running.started.ready;
    if (!("failed" in got)) return got;
    await this.#fell(running, got.failed);
    return { state: "not_looked", code: "crashed", reason: `${name} did not start: ${got.failed}` };
  }

  /** Ends the server for good. */
  async close(): Promise<void> {
    this.#closing.abort(OVER);
    await this.#stop();
  }

  #begin(start: () => StartedServer): void {
    const { clock } = this.#parts;
    const running: Running = { started: start(), at: clock.now(), server: undefined };
    this.#running = running;
    void running.started.ready.then((server) => {
      if (this.#running !== running || "failed" in server) return;
      running.server = server;
      this.#parts.onReady(server);
    });
    void running.started.gone.then((reason) => this.#fell(running, reason));
    if (!this.#idling) void this.#endWhenIdle();
  }

  /** A server has ended by itself, or was given up. Counts once for each start. */
  async #fell(running: Running, reason: string): Promise<void> {
    if (this.#running !== running) return;
    this.#running = undefined;
    if (this.#parts.clock.now() - running.at > FORGIVEN_AFTER_MS) this.#crashes = 0;
    this.#crashed(reason);
    await running.started.stop();
  }

  #crashed(reason: string): void {
    const { restartMs } = this.#parts.limits;
    this.#lastReason = reason;
    this.#notBefore = this.#parts.clock.now() + (restartMs[this.#crashes] ?? 0);
    this.#crashes++;
  }

  /** Why it is not started now. */
  #refusal(): NotLooked | null {
    const { clock, limits } = this.#parts;
    if (this.#closing.signal.aborted)
      return { state: "not_looked", code: "aborted", reason: "this session is ending" };
    if (this.#crashes > limits.restartMs.length || clock.now() < this.#notBefore) return this.#failure();
    return null;
  }

  #failure(hint?: string): NotLooked {
    const { clock, limits, name } = this.#parts;
    const over = this.#crashes > limits.restartMs.length;
    const next = over
      ? `it failed ${this.#crashes} times and is left off for this session`
      : `it is tried again in ${Math.max(1, Math.ceil((this.#notBefore - clock.now()) / 1000))} s`;
    return {
      state: "not_looked",
      code: over ? "disabled" : "crashed",
      reason: `${name} has failed: ${this.#lastReason}; ${next}`,
      ...(hint === undefined ? {} : { hint }),
    };
  }

  async #endWhenIdle(): Promise<void> {
    const { clock, limits } = this.#parts;
    this.#idling = true;
    while (this.#running !== undefined && !this.#closing.signal.aborted) {
      if (this.#running.server?.inUse !== false) this.#usedAt = clock.now();
      const left = this.#usedAt + limits.idleMs - clock.now();
      if (left <= 0) await this.#stop();
      else await clock.sleep(left, this.#closing.signal);
    }
    this.#idling = false;
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.started.stop();
  }
}
