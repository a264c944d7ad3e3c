import type { ExtensionSource } from "../../../contract/extension-surface.ts";

type FaultListener = (source: ExtensionSource, what: string, error: unknown) => void;

/** So many different faults of one extension are told; a loop of ever new messages must not fill the memory. */
const MOST_TOLD = 50;

/** What extensions did wrong, told once each: a component that fails is asked again with every frame. */
export class Faults {
  readonly #listeners = new Set<FaultListener>();
  readonly #told = new WeakMap<ExtensionSource, Set<string>>();

  /** The result removes the listener. */
  listen(listener: FaultListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** `what` is for people, in what it failed: `drawing its widget "todo"`. */
  tell(source: ExtensionSource, what: string, error: unknown): void {
    const told = this.#told.get(source) ?? new Set();
    this.#told.set(source, told);
    const key = `${what}\n${faultText(error)}`;
    if (told.has(key) || told.size >= MOST_TOLD) return;
    told.add(key);
    for (const listener of [...this.#listeners]) listener(source, what, error);
  }

  /** Runs a handler of an extension; what it throws or rejects with is told, and the result is undefined then. */
  guard<T>(source: ExtensionSource, what: string, run: () => T): T | undefined {
    try {
      const result = run();
      if (result instanceof Promise) result.catch((error: unknown) => this.tell(source, what, error));
      return result;
    } catch (error) {
      this.tell(source, what, error);
      return undefined;
    }
  }
}

/** What was thrown, in words; never throws itself, whatever it is given. */
export function faultText(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "something that cannot be shown";
  }
}
