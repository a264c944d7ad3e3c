/** What the configuration hands to the features: plain data and lookups, so that features never import each other. */
import type { Wire } from "./messages.ts";

/** Something people should know that stops nothing. Surfaces show it once (the `notice` event, stderr). */
export interface Notice {
  level: "info" | "warning";
  message: string;
}

/** A role (`default`, `smol`, `slow`, `plan`, `commit`, or a name of the user's): the model that plays it. */
export interface RoleSetting {
  /** `provider/model` or a bare name. */
  model: string;
  provider?: string;
}

/** What the user knows of a model that we do not. Costs are US dollars per million tokens. */
export interface ModelSetting {
  id: string;
  name?: string;
  contextWindow?: number;
  maxOutput?: number;
  images?: boolean;
  reasoning?: boolean;
  cost?: { input: number; output: number; cacheRead?: number; cacheWrite?: number };
}

/** One entry of `providers{}`: a service of the user's own, or changes to one that is built in. */
export interface ProviderSetting {
  baseUrl?: string;
  wire?: Wire;
  /** The key itself, or `$NAME` for a variable. */
  apiKey?: string;
  headers?: Readonly<Record<string, string>>;
  models?: readonly ModelSetting[];
}

/** One entry of `oauth{}`: how pi logs in to a provider's service, and how the token is used. `config/schema.ts` describes each key. */
export interface OAuthSetting {
  clientId?: string;
  clientSecret?: string;
  issuer?: string;
  authorizeUrl?: string;
  tokenUrl?: string;
  deviceUrl?: string;
  revokeUrl?: string;
  flow?: "browser" | "device";
  scopes?: readonly string[];
  redirectUrl?: string;
  redirectPort?: number;
  parameters?: Readonly<Record<string, string>>;
  tokenFormat?: "form" | "json";
  baseUrl?: string;
  header?: string;
  scheme?: string;
}

/** Where the tokens of logins are kept. */
export type TokenPlace = "file" | "keychain";

/** `oauth{}`: an entry for each provider; `store` is none. */
export interface OAuthSettings {
  readonly store?: TokenPlace;
  readonly [provider: string]: OAuthSetting | TokenPlace | undefined;
}

/** The entry of `oauth{}` for a provider; undefined when there is none. */
export function oauthSetting(settings: OAuthSettings, provider: string): OAuthSetting | undefined {
  const entry = Object.hasOwn(settings, provider) ? settings[provider] : undefined;
  return typeof entry === "object" ? entry : undefined;
}

/** The variable that a setting names (`$NAME` or `${NAME}`) instead of a secret; undefined: it is the secret itself. */
export function variableIn(text: string): string | undefined {
  return text.startsWith("$") ? text.slice(1).replace(/^\{(.*)\}$/, "$1") : undefined;
}

/** {@link FoundKey.source} of a key out of the environment; every other one is a file. */
export const ENVIRONMENT_SOURCE = "the environment";

/** A key that was found. With a `problem` (a line break, quotes, …) it must not be sent: the text says what is wrong. */
export interface FoundKey {
  variable: string;
  /** Where it came from, for people: `the environment` or a file. */
  source: string;
  value: string;
  problem?: string;
}

/** API keys by the name of their variable. */
export interface KeyLookup {
  find(variable: string): FoundKey | undefined;
}
