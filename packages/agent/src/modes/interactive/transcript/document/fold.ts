/** Whether all of a kind are open. Each toggle of all is a generation: it ends what single ones were set to. */
export interface FoldAll {
  readonly open: boolean;
  readonly generation: number;
}

/** Whether one thing is open: as all are, unless it was turned on its own since. */
export class Fold {
  #own: { open: boolean; generation: number } | undefined;

  isOpen(all: FoldAll): boolean {
    return this.#own?.generation === all.generation ? this.#own.open : all.open;
  }

  set(open: boolean, all: FoldAll): void {
    this.#own = { open, generation: all.generation };
  }
}
