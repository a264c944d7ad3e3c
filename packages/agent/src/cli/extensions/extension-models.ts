import type { ModelInfo, ThinkingLevel } from "../../contract/model.ts";
import type { TokenBudget } from "../../contract/services.ts";
import type { ModelsPort, OpenModel } from "../../extension/pi/host/host-ports.ts";
import { isUsable, lookForKey } from "../../provider/registry/provider-key.ts";
import { BUILT_IN_PROVIDERS } from "../../provider/registry/providers.ts";
import { ModelServices, type ModelServicesParts } from "./model-services.ts";

interface ModelParts extends ModelServicesParts {
  current(): ModelInfo;
  thinking(): ThinkingLevel;
  setThinking(level: ThinkingLevel): void;
  use(opened: OpenModel): void;
  budget: TokenBudget;
}

/** The models as extensions ask for them: the registry of the program, with the services that extensions bring. */
export function extensionModels(parts: ModelParts): ModelsPort {
  const services = new ModelServices(parts);
  return {
    current: parts.current,
    thinking: parts.thinking,
    setThinking: parts.setThinking,
    list() {
      const current = parts.current();
      const names = new Set([
        ...BUILT_IN_PROVIDERS.map(({ name }) => name),
        ...Object.keys(services.options.providers),
        current.provider,
      ]);
      const listed = [...names].flatMap((name) => {
        const target = services.target(name);
        if (target === null) return [];
        const usable =
          isUsable(target, lookForKey(target, parts.options)) ||
          name === current.provider ||
          services.hasKeyOfItsOwn(name);
        return services.modelsOf(target).map((model) => ({ model, usable, baseUrl: target.baseUrl }));
      });
      const hasCurrent = listed.some(
        ({ model }) => model.provider === current.provider && model.id === current.id,
      );
      const baseUrl = services.target(current.provider)?.baseUrl ?? "";
      return hasCurrent ? listed : [{ model: current, usable: true, baseUrl }, ...listed];
    },
    open: (provider, id) => services.open(provider, id),
    use: parts.use,
    provider(name) {
      const target = services.target(name);
      if (target === null) return null;
      const key = lookForKey(target, parts.options);
      const usable = isUsable(target, key) || services.hasKeyOfItsOwn(name);
      return { baseUrl: target.baseUrl, headers: target.headers, usable, login: key.state === "login" };
    },
    key: (provider) => services.key(provider),
    provide: (name, provider) => services.provide(name, provider),
    reserve: (tokens) => parts.budget.reserve(tokens),
  };
}
