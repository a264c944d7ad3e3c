import type { ExtensionSource } from "../../../contract/extension-surface.ts";
import type { Owned } from "./owned.ts";

/** One thing of the surface that several extensions may set: the latest counts, and when it is taken back the one before. */
export class LatestValue<T> {
  readonly #owned: Owned;
  readonly #apply: (value: T | undefined) => void;
  readonly #values: { source: ExtensionSource; value: T; remove: () => void }[] = [];

  /** `apply` gets what counts now; undefined: nobody has set it. */
  constructor(owned: Owned, apply: (value: T | undefined) => void) {
    this.#owned = owned;
    this.#apply = apply;
  }

  /** Undefined takes back what this extension set. */
  set(source: ExtensionSource, value: T | undefined): void {
    const set = this.#values.find((each) => each.source === source);
    if (value === undefined) {
      set?.remove();
      return;
    }
    const remove =
      set?.remove ??
      this.#owned.add(source, () => {
        this.#take(source);
        this.#show();
      });
    this.#take(source);
    this.#values.push({ source, value, remove });
    this.#show();
  }

  #take(source: ExtensionSource): void {
    const index = this.#values.findIndex((each) => each.source === source);
    if (index >= 0) this.#values.splice(index, 1);
  }

  #show(): void {
    this.#apply(this.#values.at(-1)?.value);
  }
}
