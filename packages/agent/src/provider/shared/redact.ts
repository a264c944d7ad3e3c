/** What a service said, fit to be shown and kept: without our secrets, and short. */
import type { ProviderSettings } from "../../contract/model.ts";
import { wellFormed } from "./text.ts";

const LIMIT = 2_000;

const shapes: readonly [RegExp, string][] = [
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, "$1 [secret]"],
  [/\b(?:sk|pk|rk|gsk|xai|key)-[A-Za-z0-9_*-]{8,}/g, "[secret]"],
  [/\bAIza[A-Za-z0-9_-]{20,}/g, "[secret]"],
  [/([?&](?:key|api_key|access_token|token)=)[^&\s"']+/gi, "$1[secret]"],
];

/** The values of a client's settings that must not show: its key, and its headers that carry one. */
export function secretsOf(settings: Pick<ProviderSettings, "apiKey" | "headers">): string[] {
  const secrets = settings.apiKey ? [settings.apiKey] : [];
  for (const [name, value] of Object.entries(settings.headers))
    if (/auth|key|token|secret|cookie|credential/i.test(name))
      secrets.push(value, value.replace(/^\w+\s+/, ""));
  return secrets.filter((secret) => secret.length >= 6);
}

/** A message without `secrets` or anything in the shape of one, on as few lines as it had, at most 2,000 characters. */
export function publicMessage(text: string, secrets: readonly string[]): string {
  // Cut roughly first: a gateway may answer with megabytes of HTML.
  let clean = text.slice(0, 10 * LIMIT).trim();
  for (const secret of secrets) clean = clean.replaceAll(secret, "[secret]");
  for (const [shape, replacement] of shapes) clean = clean.replaceAll(shape, replacement);
  return wellFormed(clean.length > LIMIT ? `${clean.slice(0, LIMIT - 1)}…` : clean);
}
