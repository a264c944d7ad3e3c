/** How much memory may add and how long it may take. */
export interface OrchestratorLimits {
  /** Most tokens for one prompt, frame included. */
  readonly promptTokens: number;
  /** Most tokens at the start of a session, frame included. */
  readonly startTokens: number;
  /** How far back the start of a session looks, in hours; pinned memories, preferences and decisions are older, too. */
  readonly lookbackHours: number;
  /** Most memories that are put before the model for one prompt. */
  readonly promptMemories: number;
  /** Everything for one prompt together, in milliseconds; what did not come by then is left out. */
  readonly promptDeadlineMs: number;
  readonly startDeadlineMs: number;
}

export const DEFAULT_LIMITS: OrchestratorLimits = {
  promptTokens: 1_024,
  startTokens: 5_000,
  lookbackHours: 168,
  promptMemories: 8,
  promptDeadlineMs: 1_000,
  startDeadlineMs: 100,
};
