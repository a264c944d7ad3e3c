import type { ModelInfo, ThinkingLevel } from "../../contract/model.ts";
import type { TokenBudget } from "../../contract/services.ts";
import { broughtClient } from "../../extension/pi/host/brought-client.ts";
import type { ModelsPort, OpenModel } from "../../extension/pi/host/host-ports.ts";
import { knownModels } from "../../provider/registry/list-models.ts";
import { withSetting } from "../../provider/registry/model-setting.ts";
import { unknownModel } from "../../provider/registry/model-table.ts";
import { isUsable, lookForKey } from "../../provider/registry/provider-key.ts";
import { type ProviderTarget, providerTarget } from "../../provider/registry/provider-target.ts";
import { BUILT_IN_PROVIDERS } from "../../provider/registry/providers.ts";
import { type ResolveOptions, resolveModel } from "../../provider/registry/resolve.ts";
import { loadWire } from "../../provider/registry/wires.ts";
import { BroughtProviders } from "./brought-providers.ts";

interface ModelParts {
  options: ResolveOptions;
  current(): ModelInfo;
  thinking(): ThinkingLevel;
  setThinking(level: ThinkingLevel): void;
  use(opened: OpenModel): void;
  budget: TokenBudget;
  /** Tells why a provider cannot be had. */
  refuse(message: string): void;
  /** Runs a line of shell that prints a key, and gives what it printed. Rejects with a PiError when it fails. */
  printedBy(command: string): Promise<string>;
}

/** The models as extensions ask for them: the registry of the program, with the services that extensions bring. */
export function extensionModels(parts: ModelParts): ModelsPort {
  const brought = new BroughtProviders(parts);
  const options = (): ResolveOptions => ({
    ...parts.options,
    providers: { ...parts.options.providers, ...brought.settings() },
  });
  const targetOf = (provider: string): ProviderTarget | null => {
    try {
      return providerTarget(provider, { ...options(), url: null }) ?? null;
    } catch {
      // an entry of the configuration that cannot be used: it has been told of when the settings were read
      return null;
    }
  };
  const keyOf = (target: ProviderTarget): string | undefined => {
    const key = lookForKey(target, parts.options);
    return key.state === "ok" ? key.key.value : undefined;
  };
  return {
    current: parts.current,
    thinking: parts.thinking,
    setThinking: parts.setThinking,
    list() {
      const current = parts.current();
      const names = new Set([
        ...BUILT_IN_PROVIDERS.map(({ name }) => name),
        ...Object.keys(options().providers),
        current.provider,
      ]);
      const listed = [...names].flatMap((name) => {
        const target = targetOf(name);
        if (target === null) return [];
        const usable =
          isUsable(target, lookForKey(target, parts.options)) ||
          name === current.provider ||
          brought.hasKeyOfItsOwn(name);
        return modelsOf(target).map((model) => ({ model, usable, baseUrl: target.baseUrl }));
      });
      const hasCurrent = listed.some(
        ({ model }) => model.provider === current.provider && model.id === current.id,
      );
      const baseUrl = targetOf(current.provider)?.baseUrl ?? "";
      return hasCurrent ? listed : [{ model: current, usable: true, baseUrl }, ...listed];
    },
    async open(provider, id) {
      await brought.fetchKey(provider);
      const target = targetOf(provider);
      const service = target === null ? null : brought.service(target, keyOf(target));
      const listed = target === null ? undefined : modelsOf(target).find((model) => model.id === id);
      if (service !== null && listed !== undefined)
        return { model: listed, client: broughtClient(service), secret: service.apiKey ?? null };
      const resolved = await resolveModel({ ...options(), request: `${provider}/${id}`, role: null });
      const wire = await loadWire(resolved.settings.wire);
      return {
        model: resolved.model,
        client: wire.open(resolved.settings),
        secret: resolved.key?.value ?? null,
      };
    },
    use: parts.use,
    provider(name) {
      const target = targetOf(name);
      if (target === null) return null;
      const key = lookForKey(target, parts.options);
      const usable = isUsable(target, key) || brought.hasKeyOfItsOwn(name);
      return { baseUrl: target.baseUrl, headers: target.headers, usable, login: key.state === "login" };
    },
    async key(provider) {
      await brought.fetchKey(provider);
      const target = targetOf(provider);
      return target === null ? undefined : keyOf(target);
    },
    provide: (name, provider) => brought.set(name, provider),
    reserve: (tokens) => parts.budget.reserve(tokens),
  };
}

function modelsOf(target: ProviderTarget): ModelInfo[] {
  const own = target.models.map((setting) =>
    withSetting(unknownModel(target.name, setting.id, target.wire), setting),
  );
  const ids = new Set(own.map(({ id }) => id));
  return [...own, ...knownModels(target.name, target.wire).filter(({ id }) => !ids.has(id))];
}
