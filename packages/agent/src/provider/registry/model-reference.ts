import { PiError } from "../../contract/errors.ts";
import type { ProviderSetting } from "../../contract/settings.ts";
import { nearNames } from "../../platform/near-names.ts";
import { tableModels, tableProviders } from "./model-table.ts";
import { BUILT_IN_PROVIDERS, builtInProvider, providerByModelName } from "./providers.ts";

/** A provider's name and a model's id, as asked for. */
export interface ModelReference {
  provider: string;
  id: string;
}

/**
 * Understands `provider/model` and bare names: by their beginning, then as a configured provider's model, then as the exact id
 * of a model in the built-in table (a provider for which `hasKey` holds first). Throws PiError `model_unknown` (exit code 4)
 * that lists near names.
 */
export function parseModelReference(
  text: string,
  named: string | undefined,
  providers: Readonly<Record<string, ProviderSetting>>,
  hasKey: (provider: string) => boolean,
): ModelReference {
  const name = text.trim();
  if (name === "" || /[\x00-\x20\x7f]/.test(name))
    throw unknown(text, "A model's name has no spaces: --model provider/model.");
  const isProvider = (word: string) => Object.hasOwn(providers, word) || builtInProvider(word) !== undefined;
  const slash = name.indexOf("/");
  const first = name.slice(0, slash);
  if (named !== undefined) {
    if (!isProvider(named)) throw unknownProvider(named, name, providers);
    return { provider: named, id: first === named ? name.slice(slash + 1) : name };
  }
  if (slash > 0 && isProvider(first)) {
    if (slash === name.length - 1) throw unknown(text, `Name a model of ${first}: ${first}/MODEL.`);
    return { provider: first, id: name.slice(slash + 1) };
  }
  const byName = slash < 0 ? providerByModelName(name) : undefined;
  if (byName !== undefined) return { provider: byName, id: name };
  for (const [provider, setting] of Object.entries(providers))
    if (setting.models?.some((model) => model.id === name)) return { provider, id: name };
  const listed = BUILT_IN_PROVIDERS.map((provider) => provider.name).filter((provider) =>
    tableModels(provider).includes(name),
  );
  const chosen = listed.find(hasKey) ?? listed[0];
  if (chosen !== undefined) return { provider: chosen, id: name };
  if (slash > 0) throw unknownProvider(first, name, providers);
  throw unknown(text, nearHint(name, providers));
}

/** `provider/model` of the known models nearest to a name, at most three. */
export function nearModels(
  name: string,
  providers: Readonly<Record<string, ProviderSetting>>,
  only?: string,
): string[] {
  const full = new Map<string, string>();
  for (const [provider, setting] of Object.entries(providers))
    for (const model of setting.models ?? [])
      if (only === undefined || only === provider) full.set(model.id, `${provider}/${model.id}`);
  for (const provider of tableProviders())
    if (only === undefined ? provider !== "openrouter" : only === provider)
      for (const id of tableModels(provider)) if (!full.has(id)) full.set(id, `${provider}/${id}`);
  return nearNames(name, full.keys()).map((id) => full.get(id)!);
}

function nearHint(name: string, providers: Readonly<Record<string, ProviderSetting>>): string {
  const near = nearModels(name, providers);
  return `${near.length > 0 ? `Near names: ${near.join(", ")}. ` : ""}Name the provider to run any model: --model provider/model; \`pi models\` lists the known ones.`;
}

function unknownProvider(
  word: string,
  name: string,
  providers: Readonly<Record<string, ProviderSetting>>,
): PiError {
  const known = [...BUILT_IN_PROVIDERS.map((provider) => provider.name), ...Object.keys(providers)];
  const near = nearNames(word, known);
  return new PiError({
    code: "model_unknown",
    message: `unknown provider "${word}" in the model "${name}"`,
    hint: `${near.length > 0 ? `Near names: ${near.join(", ")}. ` : ""}Known providers: ${known.join(", ")}. Others go under "providers" in your config file.`,
    exitCode: 4,
  });
}

function unknown(text: string, hint: string): PiError {
  return new PiError({
    code: "model_unknown",
    message: `unknown model "${text.slice(0, 200)}"`,
    hint,
    exitCode: 4,
  });
}
