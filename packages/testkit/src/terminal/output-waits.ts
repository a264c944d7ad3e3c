/** Only ends a hung test. */
const HANG_GUARD_MS = 90_000;

/** Tests that wait for something a program prints, without looking on a clock. */
export class OutputWaits {
  readonly #checks = new Set<() => void>();
  readonly #told: () => string;
  #ended = false;

  /** `told`: what an error shows of the program. */
  constructor(told: () => string) {
    this.#told = told;
  }

  /** Something came: every wait looks again. */
  changed(): void {
    for (const check of [...this.#checks]) check();
  }

  /** Nothing will come any more: what is still unmet fails. */
  ended(): void {
    this.#ended = true;
    this.changed();
  }

  /** Resolves with what `find` gives as soon as that is not null. */
  until<T>(find: () => T | null, wanted: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const finish = (act: () => void): void => {
        clearTimeout(guard);
        this.#checks.delete(check);
        act();
      };
      const fail = (how: string): void =>
        finish(() => reject(new Error(`${how} ${wanted}\n${this.#told()}`)));
      const check = (): void => {
        try {
          const found = find();
          if (found !== null) finish(() => resolve(found));
          else if (this.#ended) fail("the program ended without");
        } catch (thrown) {
          finish(() => reject(thrown));
        }
      };
      const guard = setTimeout(() => fail("the terminal never showed"), HANG_GUARD_MS);
      this.#checks.add(check);
      check();
    });
  }

  /** Resolves when nothing has changed for `quietMs`. */
  quiet(quietMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer = setTimeout(() => finish(resolve), quietMs);
      const again = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => finish(resolve), quietMs);
      };
      const guard = setTimeout(
        () =>
          finish(() => reject(new Error(`the terminal was never quiet for ${quietMs} ms\n${this.#told()}`))),
        HANG_GUARD_MS,
      );
      const finish = (act: () => void): void => {
        clearTimeout(timer);
        clearTimeout(guard);
        this.#checks.delete(again);
        act();
      };
      this.#checks.add(again);
    });
  }
}
