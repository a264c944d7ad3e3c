/** Knows which sessions are in the middle of a turn. */
export class TurnsUnderway {
  readonly #sessions = new Set<string>();
  readonly #waiting = new Set<() => void>();

  begin(sessionId: string): void {
    this.#sessions.add(sessionId);
  }

  /** The host said that a session is idle: everything of its turn was told before. */
  end(sessionId: string): void {
    this.#sessions.delete(sessionId);
    if (this.#sessions.size > 0) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Resolves when no turn is underway. */
  settled(): Promise<void> {
    return this.#sessions.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => this.#waiting.add(resolve));
  }
}
