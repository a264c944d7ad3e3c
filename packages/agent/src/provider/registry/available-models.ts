import { errorMessage } from "../../contract/errors.ts";
import type { ModelInfo, ProviderSettings } from "../../contract/model.ts";
import type { Notice } from "../../contract/settings.ts";
import { knownModels, type ListOptions, listModels } from "./list-models.ts";
import { withSetting } from "./model-setting.ts";
import { tableProviders, unknownModel } from "./model-table.ts";
import { isUsable, lookForKey } from "./provider-key.ts";
import { type ProviderTarget, providerTarget } from "./provider-target.ts";
import { BUILT_IN_PROVIDERS } from "./providers.ts";
import type { ResolveOptions } from "./resolve.ts";

/**
 * The models that can be used now: of every provider with a key, of the configured ones and of a local Ollama, each asked at once
 * (or as kept, see {@link listModels}). One that does not answer gives its built-in list and a notice. Without any key: the whole
 * built-in table. Never throws for a provider.
 */
export async function availableModels(
  options: ResolveOptions,
  list: ListOptions,
  signal: AbortSignal,
): Promise<{ models: ModelInfo[]; notices: Notice[] }> {
  const notices: Notice[] = [];
  const names = new Set([
    ...BUILT_IN_PROVIDERS.map((provider) => provider.name),
    ...Object.keys(options.providers),
  ]);
  const lists = await Promise.all(
    [...names].map((name) => modelsOf(name, { ...options, url: null }, list, notices, signal)),
  );
  const models = lists.flat();
  if (models.length > 0) return { models, notices };
  notices.push({
    level: "info",
    message: "no API key is set: these are the models that are known without asking",
  });
  for (const name of tableProviders())
    models.push(...knownModels(name, providerTarget(name, { ...options, url: null })!.wire));
  return { models, notices };
}

async function modelsOf(
  name: string,
  options: ResolveOptions,
  list: ListOptions,
  notices: Notice[],
  signal: AbortSignal,
): Promise<ModelInfo[]> {
  try {
    const target = providerTarget(name, options);
    if (!target) return [];
    const found = lookForKey(target, options);
    if (found.state === "bad") notices.push({ level: "warning", message: found.why });
    if (!isUsable(target, found)) return [];
    const local = target.name === "ollama";
    // what runs on this machine changes with every pull, so it is always asked; asking an Ollama that does not run is no failure worth a word
    if (local && (await options.localModels?.(target.baseUrl)) == null) return [];
    const settings: ProviderSettings = {
      provider: target.name,
      wire: target.wire,
      baseUrl: target.baseUrl,
      ...(found.state === "ok" ? { apiKey: found.key.value } : {}),
      headers: { ...options.headers, ...target.headers, ...options.flagHeaders },
      fetch: found.state === "login" ? found.login.through(options.fetch) : options.fetch,
    };
    const asked = await askOrKnown(settings, local ? { ...list, refresh: true } : list, notices, signal);
    return withConfigured(asked, target);
  } catch (error) {
    notices.push({ level: "warning", message: errorMessage(error) });
    return [];
  }
}

async function askOrKnown(
  settings: ProviderSettings,
  list: ListOptions,
  notices: Notice[],
  signal: AbortSignal,
): Promise<ModelInfo[]> {
  try {
    return await listModels(settings, list, signal);
  } catch (error) {
    notices.push({
      level: "warning",
      message: `${settings.provider} could not be asked for its models: ${errorMessage(error)}`,
    });
    return knownModels(settings.provider, settings.wire);
  }
}

/** With the user's own facts about models, and the models that only the config names. */
function withConfigured(models: readonly ModelInfo[], target: ProviderTarget): ModelInfo[] {
  const byId = new Map(models.map((model) => [model.id, model]));
  for (const own of target.models)
    byId.set(own.id, withSetting(byId.get(own.id) ?? unknownModel(target.name, own.id, target.wire), own));
  return [...byId.values()];
}
