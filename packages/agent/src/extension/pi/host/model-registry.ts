import { errorMessage } from "../../../contract/errors.ts";
import type { PiModel } from "../pi-types.ts";
import { type Asked, type AskOptions, askModel } from "./ask-model.ts";
import type { BroughtProvider, ModelsPort } from "./host-ports.ts";
import { toPiModel } from "./pi-model.ts";

type Wanted = Pick<PiModel, "provider" | "id">;

/** `ctx.modelRegistry`: the models that can be asked, over our own clients and keys. */
export function modelRegistry(models: ModelsPort): object {
  const all = () => models.list().map(({ model, baseUrl }) => toPiModel(model, baseUrl));
  const usable = () => models.list().filter((listed) => listed.usable);
  const isConfigured = (provider: string) =>
    models.provider(provider)?.usable === true || usable().some(({ model }) => model.provider === provider);
  const stream = (model: Wanted, asked: Asked, options: AskOptions = {}) =>
    askModel(models, model, asked, options);
  const unsupported = (name: string) => () => {
    throw new Error(`modelRegistry.${name} is not part of pi-ts`);
  };
  return {
    find: (provider: string, id: string) =>
      all().find((model) => model.provider === provider && model.id === id),
    getAll: all,
    getAvailable: () => usable().map(({ model, baseUrl }) => toPiModel(model, baseUrl)),
    hasConfiguredAuth: (model: Wanted | string) =>
      isConfigured(typeof model === "string" ? model : model.provider),
    async getApiKeyAndHeaders({ provider }: Wanted) {
      try {
        const found = models.provider(provider);
        if (found === null) return { ok: false, error: `there is no provider "${provider}"` };
        if (found.login)
          return {
            ok: false,
            error: `${provider} is used with a login, whose token stays in pi; modelRegistry.complete() uses it`,
          };
        const apiKey = await models.key(provider);
        return { ok: true, ...(apiKey === undefined ? {} : { apiKey }), headers: found.headers };
      } catch (thrown) {
        return { ok: false, error: errorMessage(thrown) };
      }
    },
    getApiKeyForProvider: (provider: string) => models.key(provider),
    getApiKey: ({ provider }: Wanted) => models.key(provider),
    getProvider: (provider: string) => {
      const found = models.provider(provider);
      return found === null ? undefined : { id: provider, name: provider, baseUrl: found.baseUrl };
    },
    async getProviderAuth(provider: string) {
      const found = models.provider(provider);
      if (found === null) return undefined;
      const apiKey = await models.key(provider);
      return {
        ...(apiKey === undefined ? {} : { apiKey }),
        headers: found.headers,
        baseUrl: found.baseUrl,
      };
    },
    getProviderAuthStatus: (provider: string) => ({ configured: isConfigured(provider) }),
    getProviderDisplayName: (provider: string) => provider,
    isUsingOAuth: (model: Wanted | string) =>
      models.provider(typeof model === "string" ? model : model.provider)?.login === true,
    refresh: async () => undefined,
    getError: () => undefined,
    stream,
    streamSimple: stream,
    complete: (model: Wanted, asked: Asked, options?: AskOptions) => stream(model, asked, options).result(),
    completeSimple: (model: Wanted, asked: Asked, options?: AskOptions) =>
      stream(model, asked, options).result(),
    registerProvider: (name: string, provider: BroughtProvider) => models.provide(name, provider),
    unregisterProvider: (name: string) => models.provide(name, null),
    classify: unsupported("classify"),
    generateImages: unsupported("generateImages"),
  };
}
