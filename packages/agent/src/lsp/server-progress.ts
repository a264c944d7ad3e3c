import { plainWords } from "./plain-words.ts";

/** What a server says it is busy with: indexing, loading, checking. */
export class ServerProgress {
  readonly #tokens = new Map<unknown, string>();
  readonly #idle = new Set<() => void>();

  /** One `$/progress` notification. */
  report(params: unknown): void {
    const { token, value } = (params ?? {}) as { token?: unknown; value?: ProgressValue };
    if (value?.kind === "end") this.#tokens.delete(token);
    else if (value?.kind === "begin") this.#tokens.set(token, words(value, ""));
    else if (value?.kind === "report" && this.#tokens.has(token))
      this.#tokens.set(token, words(value, this.#tokens.get(token)!));
    if (this.#tokens.size === 0) for (const wake of [...this.#idle]) wake();
  }

  /** What it does at the moment, or null. */
  get doing(): string | null {
    const [first] = this.#tokens.values();
    return first ?? null;
  }

  /** Resolves when it is busy with nothing, or when the signal aborts. */
  idle(signal: AbortSignal): Promise<void> {
    if (this.#tokens.size === 0 || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#idle.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#idle.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}

interface ProgressValue {
  kind?: unknown;
  title?: unknown;
  message?: unknown;
  percentage?: unknown;
}

const MOST_CHARACTERS = 100;

function words({ title, percentage }: ProgressValue, before: string): string {
  const name = typeof title === "string" ? title : before.replace(/ \(\d+ %\)$/, "");
  const share = typeof percentage === "number" ? ` (${Math.round(percentage)} %)` : "";
  return `${plainWords(name, MOST_CHARACTERS).replace(/…+$/, "") || "working"}${share}`;
}
