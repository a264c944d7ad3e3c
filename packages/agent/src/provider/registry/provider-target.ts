import { PiError } from "../../contract/errors.ts";
import type { Wire } from "../../contract/messages.ts";
import type { ModelSetting, ProviderSetting } from "../../contract/settings.ts";
import { publicAddress } from "../../platform/public-address.ts";
import { parseOllamaHost } from "../ollama/host.ts";
import { splitAddress } from "../shared/endpoint.ts";
import { type BuiltInProvider, builtInProvider } from "./providers.ts";

/** Where a provider's requests go, after everything that may change it. */
export interface ProviderTarget {
  name: string;
  wire: Wire;
  baseUrl: string;
  headers: Readonly<Record<string, string>>;
  /** Variables that may hold the key, the usual one first. */
  keyVariables: readonly string[];
  /** What the config gives as the key: itself, or `$NAME`. */
  apiKey?: string;
  keyRequired: boolean;
  models: readonly ModelSetting[];
  builtIn?: BuiltInProvider;
}

export interface TargetOptions {
  /** `providers{}` of the configuration. */
  providers: Readonly<Record<string, ProviderSetting>>;
  /** The environment; only `*_BASE_URL` and `OLLAMA_HOST` are looked at. */
  environment: Readonly<Record<string, string | undefined>>;
  /** `--url`: wins over every other address. */
  url?: string | null;
}

/**
 * The provider of a name, built in or configured; undefined when there is none. The address is `--url`, else the provider's
 * variable, else the config's, else what is built in. Throws PiError `provider_invalid` (exit code 4) for an entry that cannot be used.
 */
export function providerTarget(name: string, options: TargetOptions): ProviderTarget | undefined {
  const builtIn = builtInProvider(name);
  const own = ownSetting(name, builtIn, options.providers);
  if (!builtIn && !own) return undefined;
  const wire = own?.wire ?? builtIn?.wire ?? "openai-chat";
  const real = builtIn?.name ?? name;
  const variable = builtIn ? options.environment[builtIn.baseUrlVariable]?.trim() : undefined;
  const address = options.url || variable || own?.baseUrl || builtIn?.baseUrl;
  if (!address)
    throw new PiError({
      code: "provider_invalid",
      message: `the provider "${name}" has no address`,
      hint: `Set providers.${name}.baseUrl in your config file, or give --url.`,
      exitCode: 4,
    });
  const source = options.url ? "--url" : variable ? builtIn!.baseUrlVariable : `providers.${name}.baseUrl`;
  return {
    name: real,
    wire,
    baseUrl: normaliseAddress(address, wire, source, builtIn),
    headers: own?.headers ?? {},
    keyVariables: builtIn?.keyVariables.length ? builtIn.keyVariables : [ownKeyVariable(real)],
    ...(own?.apiKey === undefined ? {} : { apiKey: own.apiKey }),
    keyRequired: (builtIn?.keyVariables.length ?? 0) > 0,
    models: own?.models ?? [],
    ...(builtIn ? { builtIn } : {}),
  };
}

function ownSetting(
  name: string,
  builtIn: BuiltInProvider | undefined,
  providers: TargetOptions["providers"],
): ProviderSetting | undefined {
  for (const key of [name, builtIn?.name])
    if (key !== undefined && Object.hasOwn(providers, key)) return providers[key];
  return undefined;
}

/** The variable that holds the key of a provider of the user's own which names none. */
export function ownKeyVariable(name: string): string {
  return `${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}_API_KEY`;
}

/** An address without what the client of its wire adds itself. */
function normaliseAddress(address: string, wire: Wire, source: string, builtIn?: BuiltInProvider): string {
  const ollama = wire === "ollama" || builtIn?.name === "ollama";
  const text = ollama ? parseOllamaHost(address) : address;
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "")
    throw new PiError({
      code: "provider_invalid",
      message: `${source} is "${publicAddress(address)}", which is not an http or https address`,
      hint: `Give a whole address, such as ${builtIn?.baseUrl ?? "http://127.0.0.1:8080/v1"}.`,
      exitCode: 4,
    });
  const { place, query } = splitAddress(text);
  let plain = place.replace(ENDPOINTS[wire], "").replace(/\/+$/, "");
  if (wire === "anthropic") plain = plain.replace(/\/v1$/, "");
  if (wire === "gemini") plain = plain.replace(/\/v1(beta|alpha)?$/, "");
  if (ollama && wire !== "ollama" && !plain.endsWith("/v1")) plain += "/v1";
  return query === "" ? plain : `${plain}?${query}`;
}

/** What people copy along with a base address: the path that the client adds itself. */
const ENDPOINTS: Readonly<Record<Wire, RegExp>> = {
  anthropic: /\/messages$/,
  "openai-responses": /\/responses$/,
  "openai-chat": /\/chat\/completions$/,
  gemini: /\/models$/,
  ollama: /\/api(\/chat)?$/,
};
