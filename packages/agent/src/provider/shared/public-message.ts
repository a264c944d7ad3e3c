/** What a service said, fit to be shown and kept: without our secrets, and short. */
import type { ProviderSettings } from "../../contract/model.ts";
import { createRedactor } from "../../platform/redact.ts";
import { wellFormed } from "./text.ts";

const LIMIT = 2_000;

/** The values of a client's settings that must not show: its key, and its headers that carry one. */
export function secretsOf(settings: Pick<ProviderSettings, "apiKey" | "headers">): string[] {
  const secrets = settings.apiKey ? [settings.apiKey] : [];
  for (const [name, value] of Object.entries(settings.headers))
    if (/auth|key|token|secret|cookie|credential/i.test(name))
      secrets.push(value, value.replace(/^\w+\s+/, ""));
  return secrets;
}

/** A message without `secrets` or anything in the shape of one, on as few lines as it had, at most 2,000 characters. */
export function publicMessage(text: string, secrets: readonly string[]): string {
  // Cut roughly first: a gateway may answer with megabytes of HTML.
  const clean = createRedactor(secrets).text(text.slice(0, 10 * LIMIT).trim());
  return wellFormed(clean.length > LIMIT ? `${clean.slice(0, LIMIT - 1)}…` : clean);
}
