import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ModelClient, ModelError } from "../contract/model.ts";
import type { Clock } from "../contract/services.ts";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { readSmallFile } from "../platform/read-small-file.ts";

/** First pause after a service said that it has too much to do, and the longest, in milliseconds. */
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
/** Those who wait for one pause go on spread over this share of it. */
const SPREAD = 0.5;
const TOO_MUCH: readonly ModelError["code"][] = ["overloaded", "rate"];

interface Pause {
  until: number;
  /** The length of this pause, so that the next can be twice as long. */
  ms: number;
}

/**
 * One pause for all subagents of a session: what a service tells one of them to wait, all of them wait. Files in the session's folder of
 * subagents, one a provider; one that cannot be read or written costs only the sharing.
 */
export class SharedPause {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #random: () => number;

  /** `random`: 0 to 1. */
  constructor(team: string, clock: Clock, random: () => number) {
    this.#folder = join(team, "pauses");
    this.#clock = clock;
    this.#random = random;
  }

  /** A client of `provider` that waits for the pause before each request, and begins one when it is told to wait. */
  around(client: ModelClient, provider: string): ModelClient {
    const pause = this;
    return {
      rules: client.rules,
      source: (model) => client.source(model),
      async *stream(request, signal) {
        await pause.#wait(provider, signal);
        if (signal.aborted) return;
        for await (const event of client.stream(request, signal)) {
          if (event.type === "error" && TOO_MUCH.includes(event.error.code))
            pause.#begin(provider, event.error);
          if (event.type === "end") pause.#over(provider);
          yield event;
        }
      },
    };
  }

  async #wait(provider: string, signal: AbortSignal): Promise<void> {
    const pause = this.#read(provider);
    const left = pause === null ? 0 : Math.min(pause.until - this.#clock.now(), LONGEST_MS);
    if (left > 0) await this.#clock.sleep(left + this.#random() * pause!.ms * SPREAD, signal);
  }

  #begin(provider: string, { retryAfterMs = 0 }: ModelError): void {
    const now = this.#clock.now();
    const before = this.#read(provider);
    // Of several that were told at the same time only the first makes it longer.
    if (before !== null && before.until > now && retryAfterMs <= before.until - now) return;
    const again = before !== null && now - before.until < LONGEST_MS;
    const ms = Math.min(LONGEST_MS, Math.max(retryAfterMs, again ? before.ms * 2 : FIRST_MS));
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const pause: Pause = { until: now + ms, ms };
      writeFileAtomic(this.#file(provider), JSON.stringify(pause), { mode: 0o600, durable: false });
    } catch {
      // each then waits for itself, as without subagents
    }
  }

  /** The service answers again: the next pause is a first one. */
  #over(provider: string): void {
    const before = this.#read(provider);
    if (before !== null && before.until <= this.#clock.now()) rmSync(this.#file(provider), { force: true });
  }

  #read(provider: string): Pause | null {
    try {
      const { until, ms } = JSON.parse(readSmallFile(this.#file(provider))) as Partial<Pause>;
      return typeof until === "number" && typeof ms === "number" ? { until, ms } : null;
    } catch {
      // there is none
      return null;
    }
  }

  #file(provider: string): string {
    return join(this.#folder, `${provider.replaceAll(/[^A-Za-z0-9._-]/g, "_")}.json`);
  }
}
