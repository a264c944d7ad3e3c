/** Lets one in at a time, in the order in which they came. */
export class Turns {
  #taken = false;
  readonly #waiting: { start: () => void; refuse: () => void }[] = [];

  /** Resolves with what ends the turn, or with null when `signal` is aborted first. */
  async take(signal?: AbortSignal): Promise<(() => void) | null> {
    if (signal?.aborted) return null;
    if (this.#taken && !(await this.#wait(signal))) return null;
    this.#taken = true;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#taken = false;
      this.#waiting.shift()?.start();
    };
  }

  /** Refuses all who wait. */
  refuseAll(): void {
    for (const { refuse } of this.#waiting.splice(0)) refuse();
  }

  #wait(signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = () => {
        const index = this.#waiting.indexOf(entry);
        if (index >= 0) this.#waiting.splice(index, 1);
        signal?.removeEventListener("abort", leave);
        resolve(false);
      };
      const entry = {
        start: () => {
          // taken at once, so that none who comes meanwhile goes before
          this.#taken = true;
          signal?.removeEventListener("abort", leave);
          resolve(true);
        },
        refuse: leave,
      };
      this.#waiting.push(entry);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }
}
