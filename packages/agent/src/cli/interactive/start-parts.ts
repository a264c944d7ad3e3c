import { errorMessage } from "../../contract/errors.ts";
import type { StartPart } from "../../contract/interactive.ts";

/** The names of the parts that start behind the first frame, in the order in which they are shown. */
export const START_PARTS = ["settings", "session", "model", "tools", "lsp", "mcp", "memory"] as const;

/** The parts that start behind the first frame, side by side. A part that fails or hangs stops no other one. */
export class StartParts {
  readonly #parts = new Map<string, StartPart>();
  readonly #onChange: () => void;

  constructor(names: readonly string[], onChange: () => void) {
    this.#onChange = onChange;
    for (const name of names) this.#parts.set(name, { name, state: "waiting" });
  }

  list(): readonly StartPart[] {
    return [...this.#parts.values()];
  }

  set(name: string, state: StartPart["state"], detail?: string): void {
    this.#parts.set(name, { name, state, ...(detail === undefined ? {} : { detail }) });
    this.#onChange();
  }

  /** Runs one part: `load` gives its detail, or null when it is off. Rejects as `load` does, after the part is marked as failed. */
  async run<T>(
    name: string,
    load: () => Promise<T>,
    describe: (value: T) => string | null | undefined,
  ): Promise<T> {
    this.set(name, "loading");
    try {
      const value = await load();
      const detail = describe(value);
      if (detail === null) this.set(name, "off");
      else this.set(name, "ready", detail);
      return value;
    } catch (thrown) {
      this.set(name, "failed", errorMessage(thrown));
      throw thrown;
    }
  }
}
