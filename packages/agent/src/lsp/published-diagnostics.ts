import type { Diagnostic } from "vscode-languageserver-protocol";

/** Of one file; a server that floods is cut here. */
const MOST_ITEMS = 1_000;
const MOST_FILES = 2_000;

/** What a server last published of a file. */
export interface Published {
  /** Of which version of the document; null when the server does not say. */
  version: number | null;
  items: readonly Diagnostic[];
  /** Counts all publishes of the server. */
  serial: number;
}

/** What a server publishes, by absolute path. Older versions never replace newer ones. */
export class PublishedDiagnostics {
  readonly #byPath = new Map<string, Published>();
  readonly #waiting = new Set<() => void>();
  #serial = 0;
  #named = false;

  get serial(): number {
    return this.#serial;
  }

  /** Some publish named the version that it is about: one that does not is about the file on the disk. */
  get namesVersions(): boolean {
    return this.#named;
  }

  /** How many wait for a publish. */
  get waiting(): number {
    return this.#waiting.size;
  }

  get(path: string): Published | undefined {
    return this.#byPath.get(path);
  }

  entries(): IterableIterator<[string, Published]> {
    return this.#byPath.entries();
  }

  publish(path: string, version: number | null, diagnostics: unknown): void {
    const known = this.#byPath.get(path);
    this.#named ||= version !== null;
    if (version !== null && known?.version != null && version < known.version) return;
    const items = diagnosticsIn(diagnostics).slice(0, MOST_ITEMS);
    this.#byPath.delete(path);
    this.#byPath.set(path, { version, items, serial: ++this.#serial });
    if (this.#byPath.size > MOST_FILES) this.#byPath.delete(this.#byPath.keys().next().value!);
    this.wake();
  }

  /** Something else happened that those who wait should look at. */
  wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** A closed and opened document counts its versions anew. */
  forget(path: string): void {
    this.#byPath.delete(path);
  }

  /** Resolves at the next publish of anything, or when the signal aborts. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
      if (signal.aborted) wake();
    });
  }
}

/**
 * What a server says of a file. A problem without a place or with its message in another form (markup, since LSP 3.18) is one all the
 * same: left out, it would make the file clean. Null is how some servers write an empty list.
 */
export function diagnosticsIn(value: unknown): Diagnostic[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).map((item) => {
    const range = item["range"] as Diagnostic["range"] | undefined;
    const placed = range !== undefined && isPlace(range?.start) && isPlace(range?.end) ? range : NOWHERE;
    const { message } = item;
    const text = isObject(message) ? message["value"] : message;
    return { ...item, range: placed, message: typeof text === "string" ? text : NO_MESSAGE };
  });
}

const START = { line: 0, character: 0 };
const NOWHERE: Diagnostic["range"] = { start: START, end: START };
const NO_MESSAGE = "(a problem without a message)";

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isPlace(value: unknown): boolean {
  return isObject(value) && typeof value["line"] === "number" && typeof value["character"] === "number";
}
