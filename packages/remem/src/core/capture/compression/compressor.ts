import type { NewMemory } from "../../memory/record.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EngineState } from "../../ports/engine-state.ts";
import type { SessionSummary } from "../../ports/memory-store.ts";
import type { Screen } from "../../ports/screen.ts";
import type { SmallModel } from "../../ports/small-model.ts";
import type { CapturedEntry } from "../captured-entry.ts";
import type { RecalledEcho } from "../recalled-echo.ts";
import {
  type CompressionPrompt,
  MOST_TOKENS_OUT,
  observationPrompt,
  summaryPrompt,
} from "./compression-prompt.ts";
import { type CompressedObservation, parseObservations, parseSummary } from "./parse-compressed.ts";

export interface CompressorParts {
  readonly model: SmallModel;
  /** The state with the day's counter and the lease; undefined: nothing is compressed. */
  readonly state: () => Promise<EngineState | undefined>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Tells this process from others. */
  readonly owner: string;
  readonly host: string;
  readonly screen: Screen;
  readonly echo: RecalledEcho;
  /** Tokens, in and out, that may be spent in a day (UTC) by all processes together. */
  readonly dailyTokens: number;
  /** Stores what came of it. */
  readonly store: (entries: readonly CapturedEntry[]) => Promise<unknown>;
}

/** Notes that make one request. */
const BATCH = 20;
const MOST_WAITING = 200;
const LEASE = "compression";
const LEASE_MS = 120_000;

/** The name of the counter of a day's tokens; days are those of UTC. */
export function compressionCounter(now: number): string {
  return `compression:${new Date(now).toISOString().slice(0, 10)}`;
}

/**
 * Condenses what tools did, with a small model, behind the work: in batches, within a daily limit, in one process at a time. An
 * answer that is not what was asked for changes nothing. What comes of it has an agent's authority and no subject, so that it
 * never replaces anything. The model's own calls are the host's and are not captured.
 */
export class Compressor {
  readonly #parts: CompressorParts;
  #waiting: CapturedEntry[] = [];
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(parts: CompressorParts) {
    this.#parts = parts;
  }

  /** Takes notes; from the twentieth on they are condensed behind the work. */
  observe(entries: readonly CapturedEntry[]): void {
    if (this.#stop.signal.aborted) return;
    this.#waiting.push(...entries.filter(({ weight }) => weight === "tool"));
    if (this.#waiting.length > MOST_WAITING) this.#waiting.splice(0, this.#waiting.length - MOST_WAITING);
    if (this.#waiting.length >= BATCH) this.#start();
  }

  /** A session's summary out of its notes; undefined when the model, the limit or the lease says no. */
  async summarize(
    session: Pick<SessionSummary, "sessionId" | "project" | "at">,
    entries: readonly CapturedEntry[],
  ): Promise<SessionSummary | undefined> {
    const answer = await this.#ask(summaryPrompt(entries));
    const summary = answer === undefined ? undefined : parseSummary(answer);
    return summary === undefined ? undefined : { ...session, ...summary };
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Calls off what runs; nothing is started again. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  #start(): void {
    this.#running ??= this.#compress().finally(() => {
      this.#running = undefined;
    });
  }

  async #compress(): Promise<void> {
    while (this.#waiting.length >= BATCH && !this.#stop.signal.aborted) {
      const { sessionId } = this.#waiting[0]!.memory.provenance;
      const batch = this.#waiting
        .filter(({ memory }) => memory.provenance.sessionId === sessionId)
        .slice(0, BATCH);
      const prompt = observationPrompt(batch);
      const used = new Set(batch.slice(0, Math.max(1, prompt.used)));
      this.#waiting = this.#waiting.filter((entry) => !used.has(entry));
      const answer = await this.#ask(prompt);
      if (answer === undefined) return;
      const observations = parseObservations(answer) ?? [];
      const entries = await this.#entries(observations, batch[0]!.memory);
      try {
        if (entries.length > 0) await this.#parts.store(entries);
      } catch {
        // The notes themselves are stored; what was made of them is a convenience.
      }
    }
  }

  /** The model's answer; undefined when it may not be asked or does not answer. */
  async #ask(prompt: CompressionPrompt): Promise<string | undefined> {
    const { model, clock, owner, dailyTokens, screen } = this.#parts;
    if (prompt.used === 0) return undefined;
    let leased: EngineState | undefined;
    try {
      const state = await this.#parts.state();
      const now = clock.now();
      if (state === undefined || !(await state.takeLease(LEASE, owner, now, now + LEASE_MS)))
        return undefined;
      leased = state;
      const cost = prompt.tokens + MOST_TOKENS_OUT;
      if (!(await state.spend(compressionCounter(now), cost, dailyTokens))) return undefined;
      // Everything in it was screened when it was captured; text that only together is a secret is found here.
      const { text } = await screen.screen(prompt.text);
      return await model.complete(text, { maxTokens: MOST_TOKENS_OUT, signal: this.#stop.signal });
    } catch {
      // A model that cannot answer (or the host's own limit) costs the condensed form only.
      return undefined;
    } finally {
      await leased?.giveLease(LEASE, owner).catch(() => undefined);
    }
  }

  async #entries(
    observations: readonly CompressedObservation[],
    example: NewMemory,
  ): Promise<CapturedEntry[]> {
    const { screen, newId, host, clock, echo } = this.#parts;
    const entries: CapturedEntry[] = [];
    for (const { title, kind, text, files } of observations) {
      if (echo.repeats(text)) continue;
      const messageId = `compressed:${newId()}`;
      const { sessionId } = example.provenance;
      entries.push({
        id: `${sessionId}\n${messageId}`,
        weight: "tool",
        memory: {
          kind,
          scope: example.scope,
          title: (await screen.screen(title)).text,
          text: (await screen.screen(text)).text,
          files,
          provenance: { host, sessionId, messageId, author: { role: "agent" }, typed: false },
          at: clock.now(),
        },
      });
    }
    return entries;
  }
}
