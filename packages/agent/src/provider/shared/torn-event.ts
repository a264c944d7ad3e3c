import type { ModelError } from "../../contract/model.ts";
import { wellFormed } from "./text.ts";

/**
 * The failure of an event that was to be JSON and cannot be parsed: what it held is missing from the answer, so the answer is not
 * whole. Undefined for what never was JSON, such as a gateway's keep-alive.
 */
export function tornEvent(data: string, provider: string): ModelError | undefined {
  if (!/^\s*[[{]/.test(data)) return undefined;
  return {
    code: "network",
    message: `${provider}: the stream holds an event that is no JSON: ${wellFormed(data.slice(0, 100))}`,
    retryable: true,
  };
}
