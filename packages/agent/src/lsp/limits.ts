/** How long everything may take. Milliseconds; tests put in others. */
export interface LanguageServerLimits {
  /** From the start of a program until it is ready. */
  initializeMs: number;
  /** One question of a tool, waiting for the server included. */
  questionMs: number;
  /** Formatting after a change, waiting for the server included. */
  formatMs: number;
  /** Diagnostics after a change. */
  diagnosticsMs: number;
  /** Quiet time after which what a server has published counts as all of it. */
  settleMs: number;
  /** A server nobody asks for so long is shut down. */
  idleMs: number;
  /** The waits before a server that crashed is started again; there are as many restarts as waits. */
  restartMs: readonly number[];
  /** Edits wait no more for a server that owes an answer for so long. */
  patienceMs: number;
  /** A server that owes an answer for so long is taken for dead. */
  unresponsiveMs: number;
}

export const LIMITS: LanguageServerLimits = {
  initializeMs: 45_000,
  questionMs: 30_000,
  formatMs: 5_000,
  diagnosticsMs: 2_000,
  settleMs: 250,
  idleMs: 10 * 60_000,
  restartMs: [1_000, 5_000, 20_000],
  patienceMs: 4_000,
  unresponsiveMs: 30_000,
};
