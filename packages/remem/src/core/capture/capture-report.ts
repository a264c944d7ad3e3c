/** What capture did, in numbers and reasons, never in texts. */
export interface CaptureReport {
  readonly enabled: boolean;
  /** Waiting to be stored. */
  readonly pending: number;
  readonly stored: number;
  /** Near-duplicates of what is known. */
  readonly joined: number;
  /** Left out because the queue was full. */
  readonly dropped: number;
  /** Left out by rule, by reason: `source`, `tool`, `path`, `recalled`, `empty`, `screened`. */
  readonly excluded: Readonly<Record<string, number>>;
  /** Spans that were redacted, by rule. */
  readonly redacted: Readonly<Record<string, number>>;
  /** Stays in the outbox until the store takes it. */
  readonly waiting: number;
  /** Why the store does not take it, by code. */
  readonly blocked?: string;
}

/** Nothing was captured, and nothing is going to be. */
export const NO_CAPTURE: CaptureReport = {
  enabled: false,
  pending: 0,
  stored: 0,
  joined: 0,
  dropped: 0,
  excluded: {},
  redacted: {},
  waiting: 0,
};

/** What happened last in one session. */
export interface CaptureExplanation {
  readonly sessionId: string;
  readonly state: "idle" | "pending" | "stored" | "excluded" | "failed" | "off";
  readonly report: CaptureReport;
  /** The newest decisions, newest last; ids and reasons only. */
  readonly recent: readonly {
    readonly id: string;
    readonly kind: string;
    readonly outcome: string;
    readonly reason: string;
  }[];
}
