import type { ExtensionSource } from "../../../contract/extension-surface.ts";

/** What each extension put up, as the functions that take it away. */
export class Owned {
  readonly #undos = new Map<ExtensionSource, Set<() => void>>();

  /** Registers something; the result takes it away, once, as {@link Owned.release} would. */
  add(source: ExtensionSource, undo: () => void): () => void {
    const undos = this.#undos.get(source) ?? new Set();
    this.#undos.set(source, undos);
    const once = () => {
      if (undos.delete(once)) undo();
    };
    undos.add(once);
    return once;
  }

  /** Takes away everything of an extension, the latest first. */
  release(source: ExtensionSource): void {
    for (const undo of [...(this.#undos.get(source) ?? [])].reverse()) undo();
    this.#undos.delete(source);
  }

  releaseAll(): void {
    for (const source of [...this.#undos.keys()]) this.release(source);
  }
}
