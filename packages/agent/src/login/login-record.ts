import { isJsonObject, type Json } from "../contract/json.ts";
import type { TokenPlace } from "../contract/settings.ts";

/** A login that was granted, without its secrets: all that is needed to use, renew and end it, whatever the configuration says later. */
export interface LoginRecord {
  provider: string;
  /** As the service names the person. */
  account?: string;
  /** Milliseconds since 1970. */
  obtainedAt: number;
  /** Milliseconds since 1970; absent: the service does not tell. */
  expiresAt?: number;
  scope?: string;
  client: {
    clientId: string;
    tokenUrl: string;
    revokeUrl?: string;
    tokenFormat: "form" | "json";
    secretIn?: "header";
  };
  /** How the token is sent, and to which scheme, host and port alone. */
  use: { origin: string; header: string; scheme: string };
  keptIn: TokenPlace;
  /** Why the service takes it no more. */
  ended?: string;
  /** The last renewal that came to nothing: who waited for it need not wait for the same again. */
  tried?: { at: number; code: string; message: string; hint?: string };
}

/** What nobody may see. */
export interface LoginSecrets {
  accessToken: string;
  refreshToken?: string;
  clientSecret?: string;
}

/** A record out of a file; null for anything that is none. */
export function readRecord(value: unknown): LoginRecord | null {
  if (!isJsonObject(value)) return null;
  const { provider, obtainedAt, expiresAt = 0, client, use, keptIn } = value;
  if (typeof provider !== "string" || !isTime(obtainedAt) || !isTime(expiresAt)) return null;
  if (!areTexts(client, ["clientId", "tokenUrl", "tokenFormat"])) return null;
  if (!areTexts(use, ["origin", "header", "scheme"])) return null;
  if (keptIn !== "file" && keptIn !== "keychain") return null;
  // Secrets that lie beside it in a file are not part of it.
  const { secrets: _, version: __, tried, ...record } = value;
  const told = areTexts(tried, ["code", "message"]) && isTime(tried["at"]);
  if (told) record["tried"] = tried;
  return record as unknown as LoginRecord;
}

/** Secrets out of a file or a keychain; null for anything else. */
export function readSecrets(value: unknown): LoginSecrets | null {
  return areTexts(value, ["accessToken"]) ? (value as unknown as LoginSecrets) : null;
}

function isTime(value: Json | undefined): boolean {
  return typeof value === "number" && !Number.isNaN(new Date(value).getTime());
}

function areTexts(value: unknown, names: readonly string[]): value is Record<string, Json> {
  return isJsonObject(value) && names.every((name) => typeof value[name] === "string");
}
