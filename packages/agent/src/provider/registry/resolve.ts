import { PiError } from "../../contract/errors.ts";
import type { ProviderLogin } from "../../contract/logins.ts";
import type { FetchLike, ModelInfo, ProviderSettings } from "../../contract/model.ts";
import type { FoundKey, Notice, RoleSetting } from "../../contract/settings.ts";
import { isLoopback } from "../../platform/loopback.ts";
import { publicAddress } from "../../platform/public-address.ts";
import { type DefaultModelOptions, defaultModel } from "./default-model.ts";
import { keptModel } from "./list-models.ts";
import { type ModelReference, nearModels, parseModelReference } from "./model-reference.ts";
import { withSetting } from "./model-setting.ts";
import { tableModel, unknownModel } from "./model-table.ts";
import { lookForKey, requireKey } from "./provider-key.ts";
import { type ProviderTarget, providerTarget } from "./provider-target.ts";

export interface ResolveOptions extends DefaultModelOptions {
  /** `--model`; wins over the role. */
  request?: string | null;
  /** The role of the run (`--smol`, …); one that is not set is `default`. */
  role?: string | null;
  roles: Readonly<Record<string, RoleSetting>>;
  /** Headers for every request, from the config, and from `--header` (these win over the provider's own). */
  headers?: Readonly<Record<string, string>>;
  flagHeaders?: Readonly<Record<string, string>>;
  fetch: FetchLike;
  /** Where lists of models are kept (`~/.pi-go/cache`); absent: only the built-in table and the config are looked at. */
  cacheFolder?: string;
}

/** A model, ready to be opened by `loadWire(settings.wire)`. */
export interface ResolvedModel {
  model: ModelInfo;
  settings: ProviderSettings;
  /** Where the key came from; null when none is sent. */
  key: FoundKey | null;
  /** The login that requests are made with instead of a key. */
  login: ProviderLogin | null;
  notices: Notice[];
}

/**
 * Decides which model runs, where, and with which key. No request is made, except to a local Ollama when nothing else is set.
 * Throws a PiError with exit code 4: `no_key`, `bad_key`, `model_unknown`, `provider_invalid`.
 */
export async function resolveModel(options: ResolveOptions): Promise<ResolvedModel> {
  const notices: Notice[] = [];
  const wanted = options.request ? { model: options.request } : roleOf(options, notices);
  const reference = wanted
    ? parseModelReference(wanted.model, wanted.provider, options.providers, (name) => hasKey(name, options))
    : await defaultModel(options, notices);
  return open(reference, options, notices);
}

/**
 * The model of another role in a run (`commit`, `smol`, an agent's role). A role that is not set is the model of the run.
 * Throws as {@link resolveModel}.
 */
export async function resolveRole(
  role: string,
  run: ResolvedModel,
  options: ResolveOptions,
): Promise<ResolvedModel> {
  if (!Object.hasOwn(options.roles, role)) return { ...run, notices: [] };
  return resolveModel({ ...options, request: null, role });
}

function roleOf(options: ResolveOptions, notices: Notice[]): RoleSetting | undefined {
  const { roles, role } = options;
  const set = (name: string) => (Object.hasOwn(roles, name) ? roles[name] : undefined);
  if (!role) return set("default");
  const found = set(role);
  if (!found && role !== "default")
    notices.push({ level: "info", message: `the role "${role}" is not set: the default model plays it` });
  return found ?? set("default");
}

function hasKey(name: string, options: ResolveOptions): boolean {
  const target = providerTarget(name, options);
  if (target === undefined) return false;
  const { state } = lookForKey(target, options);
  return state === "ok" || state === "login";
}

function open(reference: ModelReference, options: ResolveOptions, notices: Notice[]): ResolvedModel {
  const target = providerTarget(reference.provider, options)!;
  const found = requireKey(target, options);
  const key = found !== null && "key" in found ? found.key : null;
  const login = found !== null && "login" in found ? found.login : null;
  const model = modelOf(target, reference.id, options, notices);
  const headers = { ...options.headers, ...target.headers, ...options.flagHeaders };
  checkHeaders(headers);
  if (found && target.baseUrl.startsWith("http:") && !isLoopback(new URL(target.baseUrl).hostname))
    notices.push({
      level: "warning",
      message: `the ${login ? "token" : "key"} for ${target.name} goes unencrypted to ${publicAddress(target.baseUrl)}`,
    });
  return {
    model,
    settings: {
      provider: target.name,
      wire: target.wire,
      baseUrl: target.baseUrl,
      ...(key ? { apiKey: key.value } : {}),
      headers,
      fetch: login?.through(options.fetch) ?? options.fetch,
    },
    key,
    login,
    notices,
  };
}

function modelOf(target: ProviderTarget, id: string, options: ResolveOptions, notices: Notice[]): ModelInfo {
  const own = target.models.find((model) => model.id === id);
  const known = tableModel(target.name, id, target.wire) ?? keptFor(target, id, options);
  const base = known ?? unknownModel(target.name, id, target.wire);
  if (own) return withSetting(base, own);
  // Ollama itself tells the limits of what it has
  if (!known && target.wire !== "ollama") {
    const near = nearModels(id, options.providers, target.name);
    notices.push({
      level: "warning",
      message: `${target.name} is not known to have a model "${id}": it runs with careful limits (${base.contextWindow} tokens of context; "pi models" asks the service)${near.length > 0 ? `. Near names: ${near.join(", ")}` : ""}`,
    });
  }
  return base;
}

function keptFor(target: ProviderTarget, id: string, options: ResolveOptions): ModelInfo | null {
  if (options.cacheFolder === undefined || target.wire === "ollama") return null;
  const { name: provider, wire, baseUrl } = target;
  const kept = keptModel({ provider, wire, baseUrl }, id, options.cacheFolder);
  return kept?.known ? kept : null;
}

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers))
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /[^\t\x20-\xff]/.test(value))
      throw new PiError({
        code: "provider_invalid",
        message: `the header "${name}" cannot be sent: ${/[^\t\x20-\xff]/.test(value) ? "its value has a character that headers cannot hold" : "its name is not a header's name"}`,
        hint: "Correct it under headers in your config file, or in --header.",
        exitCode: 4,
      });
}
