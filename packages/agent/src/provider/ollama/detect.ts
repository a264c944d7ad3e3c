import type { FetchLike } from "../../contract/model.ts";

/** A local service answers in a few milliseconds; a start must not wait for one that is not there. */
const PATIENCE_MS = 300;

/** True when an Ollama answers at this base URL within 300 ms. Never throws. */
export async function detectOllama(host: string, fetch: FetchLike, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${host}/api/version`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    const body: unknown = await response.json();
    return response.ok && typeof (body as { version?: unknown } | null)?.version === "string";
  } catch {
    // Nothing there, something else there, or too slow: all of it means "no Ollama".
    return false;
  }
}
