import type { Wire } from "../../contract/messages.ts";
import type { ModelInfo, ThinkingLevel } from "../../contract/model.ts";
import type { TokenBudget } from "../../contract/services.ts";
import type { ModelSetting, ProviderSetting } from "../../contract/settings.ts";
import type { BroughtProvider, ModelsPort, OpenModel } from "../../extension/pi/host/host-ports.ts";
import { wireOf } from "../../extension/pi/host/pi-model.ts";
import { knownModels } from "../../provider/registry/list-models.ts";
import { withSetting } from "../../provider/registry/model-setting.ts";
import { unknownModel } from "../../provider/registry/model-table.ts";
import { isUsable, lookForKey } from "../../provider/registry/provider-key.ts";
import { type ProviderTarget, providerTarget } from "../../provider/registry/provider-target.ts";
import { BUILT_IN_PROVIDERS } from "../../provider/registry/providers.ts";
import { type ResolveOptions, resolveModel } from "../../provider/registry/resolve.ts";
import { loadWire } from "../../provider/registry/wires.ts";

interface ModelParts {
  options: ResolveOptions;
  current(): ModelInfo;
  thinking(): ThinkingLevel;
  setThinking(level: ThinkingLevel): void;
  use(opened: OpenModel): void;
  budget: TokenBudget;
  /** Tells why a provider cannot be had. */
  refuse(message: string): void;
}

/** The models as extensions ask for them: the registry of the program, with the services that extensions bring. */
export function extensionModels(parts: ModelParts): ModelsPort {
  const brought = new Map<string, ProviderSetting>();
  const options = (): ResolveOptions => ({
    ...parts.options,
    providers: { ...parts.options.providers, ...Object.fromEntries(brought) },
  });
  const targetOf = (provider: string): ProviderTarget | null => {
    try {
      return providerTarget(provider, { ...options(), url: null }) ?? null;
    } catch {
      // an entry of the configuration that cannot be used: it has been told of when the settings were read
      return null;
    }
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
        const usable = isUsable(target, lookForKey(target, parts.options)) || name === current.provider;
        return modelsOf(target).map((model) => ({ model, usable, baseUrl: target.baseUrl }));
      });
      const hasCurrent = listed.some(
        ({ model }) => model.provider === current.provider && model.id === current.id,
      );
      const baseUrl = targetOf(current.provider)?.baseUrl ?? "";
      return hasCurrent ? listed : [{ model: current, usable: true, baseUrl }, ...listed];
    },
    async open(provider, id) {
      const resolved = await resolveModel({ ...options(), request: `${provider}/${id}`, role: null });
      const wire = await loadWire(resolved.settings.wire);
      return {
        model: resolved.model,
        client: wire.open(resolved.settings),
        secret: resolved.key?.value ?? null,
      };
    },
    use: parts.use,
    credentials(provider) {
      const target = targetOf(provider);
      if (target === null) return null;
      const key = lookForKey(target, parts.options);
      return {
        ...(key.state === "ok" ? { apiKey: key.key.value } : {}),
        headers: target.headers,
        baseUrl: target.baseUrl,
      };
    },
    provide(name, provider) {
      if (provider === null) brought.delete(name);
      else {
        const setting = settingOf(name, provider, parts.refuse);
        if (setting !== null) brought.set(name, setting);
      }
    },
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

/** A provider of an extension's as an entry of `providers{}`; null where it speaks in a way that we do not. */
function settingOf(
  name: string,
  provider: BroughtProvider,
  refuse: (message: string) => void,
): ProviderSetting | null {
  const { api, apiKey, baseUrl, headers, models = [] } = provider;
  const wire: Wire | undefined = api === undefined ? undefined : wireOf(api);
  if (api !== undefined && wire === undefined) {
    refuse(`the provider "${name}" of an extension speaks ${api}, which pi-ts does not; it is left out`);
    return null;
  }
  if (provider.streamSimple !== undefined) {
    refuse(
      `the provider "${name}" of an extension speaks to its service itself (streamSimple), which pi-ts cannot use yet; it is left out`,
    );
    return null;
  }
  if (typeof apiKey === "string" && apiKey.startsWith("!")) {
    refuse(
      `the provider "${name}" of an extension gets its key from a command (${apiKey}), which pi-ts does not run; it is left out`,
    );
    return null;
  }
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(wire === undefined ? {} : { wire }),
    // A name of a variable without the $ is how older extensions give it.
    ...(apiKey === undefined ? {} : { apiKey: /^[A-Z][A-Z0-9_]*$/.test(apiKey) ? `$${apiKey}` : apiKey }),
    ...(headers === undefined ? {} : { headers }),
    models: models.flatMap(modelSetting),
  };
}

function modelSetting(model: Readonly<Record<string, unknown>>): ModelSetting[] {
  const { id, name, contextWindow, maxTokens, input, reasoning, cost } = model;
  if (typeof id !== "string") return [];
  const price = cost as Record<string, number> | undefined;
  return [
    {
      id,
      ...(typeof name === "string" ? { name } : {}),
      ...(typeof contextWindow === "number" ? { contextWindow } : {}),
      ...(typeof maxTokens === "number" ? { maxOutput: maxTokens } : {}),
      ...(Array.isArray(input) ? { images: input.includes("image") } : {}),
      ...(typeof reasoning === "boolean" ? { reasoning } : {}),
      ...(price === undefined ? {} : { cost: { input: 0, output: 0, ...price } }),
    },
  ];
}
