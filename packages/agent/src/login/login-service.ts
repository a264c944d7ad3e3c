import { PiError } from "../contract/errors.ts";
import { type OAuthSetting, variableIn } from "../contract/settings.ts";
import { isLoopback } from "../platform/loopback.ts";
import type { OAuthParty } from "./oauth/oauth-client.ts";
import { type LoginPreset, loginPreset } from "./presets.ts";

/** How to log in to one provider's service by OAuth, after the preset and the user's `oauth{}` entry were put together. */
export interface LoginService extends OAuthParty {
  /** Whose form the device flow has: the standard's, or OpenAI's own. */
  deviceDialect: "standard" | "openai";
  flow: "browser" | "device";
  scopes: readonly string[];
  redirectUrl?: string;
  redirectPort?: number;
  parameters: Readonly<Record<string, string>>;
  header: string;
  scheme: string;
}

/** A login service, or what has to be set before there is one. */
export type FoundService = { service: LoginService } | { missing: string };

/**
 * The login service of a provider. `variable` looks up what `clientSecret: "$NAME"` stands for. Throws a PiError
 * `oauth_setting` (exit code 2) for an entry that cannot be used.
 */
export function loginService(
  provider: string,
  setting: OAuthSetting | undefined,
  variable: (name: string) => string | undefined,
): FoundService {
  const preset = loginPreset(provider);
  const all = { ...preset?.oauth, ...setting };
  if (preset?.oauth === undefined && setting === undefined)
    return {
      missing: `pi knows no OAuth service of ${provider}; oauth.${provider} in your config file can describe one`,
    };
  if (all.clientId === undefined)
    return {
      missing: withTerms(
        `OAuth needs a client of your own: set oauth.${provider}.clientId in your config file`,
        preset,
      ),
    };
  if (all.issuer === undefined && all.tokenUrl === undefined)
    return { missing: `set oauth.${provider}.issuer, or authorizeUrl and tokenUrl` };
  for (const key of ["issuer", "authorizeUrl", "tokenUrl", "deviceUrl", "revokeUrl", "baseUrl"] as const)
    requireSafe(provider, key, all[key]);
  const clientSecret = secretOf(provider, all.clientSecret, variable);
  return {
    service: {
      provider,
      clientId: all.clientId,
      ...(clientSecret === undefined ? {} : { clientSecret }),
      ...given(all, ["issuer", "authorizeUrl", "tokenUrl", "deviceUrl", "revokeUrl", "redirectUrl"]),
      ...(all.redirectPort === undefined ? {} : { redirectPort: all.redirectPort }),
      deviceDialect:
        setting?.deviceUrl === undefined ? (preset?.oauth?.deviceDialect ?? "standard") : "standard",
      flow:
        all.flow ?? (all.authorizeUrl === undefined && all.deviceUrl !== undefined ? "device" : "browser"),
      scopes: all.scopes ?? [],
      parameters: { ...preset?.oauth?.parameters, ...setting?.parameters },
      tokenFormat: all.tokenFormat ?? "form",
      header: all.header ?? "Authorization",
      scheme: all.scheme ?? "Bearer",
    },
  };
}

/** The flows that a service can be logged in by, its usual one first. */
export function flowsOf(service: LoginService): readonly ("browser" | "device")[] {
  const { issuer, authorizeUrl, deviceUrl, deviceDialect, flow } = service;
  const other = flow === "browser" ? "device" : "browser";
  const possible =
    issuer !== undefined ||
    (other === "browser"
      ? authorizeUrl !== undefined
      : deviceUrl !== undefined || deviceDialect === "openai");
  return possible ? [flow, other] : [flow];
}

function withTerms(text: string, preset: LoginPreset | undefined): string {
  return preset?.terms === undefined ? text : `${text}. ${preset.terms}`;
}

type Texts = "issuer" | "authorizeUrl" | "tokenUrl" | "deviceUrl" | "revokeUrl" | "redirectUrl";

function given(from: OAuthSetting, names: readonly Texts[]): Partial<Record<Texts, string>> {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

/** Tokens travel encrypted, or stay on this machine. */
function requireSafe(provider: string, key: string, address: string | undefined): void {
  if (address === undefined) return;
  const url = URL.parse(address);
  if (url !== null && (url.protocol === "https:" || isLoopback(url.hostname))) return;
  throw new PiError({
    code: "oauth_setting",
    message: `oauth.${provider}.${key} is "${url === null ? address : `${url.origin}${url.pathname}`}", where a token would travel unencrypted`,
    hint: "Give an https address; http only does on this machine.",
    exitCode: 2,
  });
}

function secretOf(
  provider: string,
  text: string | undefined,
  variable: (name: string) => string | undefined,
): string | undefined {
  const name = text === undefined ? undefined : variableIn(text);
  if (name === undefined) return text;
  const value = variable(name);
  if (value) return value;
  throw new PiError({
    code: "oauth_setting",
    message: `oauth.${provider}.clientSecret names ${name}, which is not set`,
    hint: `Set ${name} in the environment.`,
    exitCode: 2,
  });
}
