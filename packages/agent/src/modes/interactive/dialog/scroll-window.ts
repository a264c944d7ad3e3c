import { getKeybindings, matchesKey } from "@earendil-works/pi-tui";

/** The part of a list of rows that is on the screen. */
export class ScrollWindow {
  top = 0;
  #total = 0;
  #height = 1;

  /** Tells how many rows there are and how many are shown; the position is kept as far as it can be. */
  resize(total: number, height: number): void {
    this.#total = total;
    this.#height = Math.max(1, height);
    this.scrollTo(this.top);
  }

  get overflows(): boolean {
    return this.#total > this.#height;
  }

  get atEnd(): boolean {
    return this.top + this.#height >= this.#total;
  }

  scrollTo(top: number): void {
    this.top = Math.max(0, Math.min(this.#total - this.#height, top));
  }

  scrollBy(rows: number): void {
    this.scrollTo(this.top + rows);
  }

  /** Scrolls by whole windows; one row stays in view. */
  pageBy(pages: number): void {
    this.scrollBy(pages * Math.max(1, this.#height - 1));
  }

  /** Scrolls as little as shows row `index`. */
  reveal(index: number): void {
    if (index < this.top) this.scrollTo(index);
    else if (index >= this.top + this.#height) this.scrollTo(index - this.#height + 1);
  }

  /** `12-30 of 88`, or nothing when all is shown. */
  get place(): string {
    if (!this.overflows) return "";
    return `${this.top + 1}-${Math.min(this.#total, this.top + this.#height)} of ${this.#total}`;
  }

  /** Keys of a text: a page (one row stays), start and end, and single rows. True when it was one of them. */
  handleKey(data: string): boolean {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.pageUp")) this.pageBy(-1);
    else if (keys.matches(data, "tui.select.pageDown")) this.pageBy(1);
    else if (keys.matches(data, "tui.select.up")) this.scrollBy(-1);
    else if (keys.matches(data, "tui.select.down")) this.scrollBy(1);
    else if (matchesKey(data, "home")) this.scrollTo(0);
    else if (matchesKey(data, "end")) this.scrollTo(this.#total);
    else return false;
    return true;
  }
}
