/** Why a provider gave what it gave. */
export interface ProviderAttempt {
  readonly provider: string;
  readonly outcome: "ok" | "failed" | "timed_out" | "aborted";
  readonly milliseconds: number;
  readonly found: number;
  /** The name of the error, never its text: that could quote a memory. */
  readonly error?: string;
}

/** One memory that was considered. Ids and numbers only, so that erasing a memory leaves nothing of it here. */
export interface TraceHit {
  readonly id: string;
  readonly provider: string;
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
  readonly fate: "injected" | "over_budget" | "below_share" | "duplicate" | "listed";
}

/** One decision to recall or to stay silent, as `explain` tells it. It holds no memory's text. */
export interface RecallTrace {
  readonly id: string;
  readonly sessionId: string;
  /** Which turn of the conversation, as the host counts them; survives a resume. */
  readonly turnId?: string;
  readonly at: number;
  readonly kind: "prompt" | "start" | "search" | "history";
  /** The redacted prompt or query, cut to a few hundred characters. */
  readonly prompt: string;
  /** Index terms of the query. */
  readonly terms: readonly string[];
  readonly decision: "injected" | "nothing_found" | "not_relevant" | "off" | "failed" | "listed";
  readonly relevance: number;
  readonly budget: number;
  readonly tokens: number;
  readonly milliseconds: number;
  readonly attempts: readonly ProviderAttempt[];
  readonly hits: readonly TraceHit[];
}
