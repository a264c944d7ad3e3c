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
  const auth = (provider: string) => models.credentials(provider);
  const isConfigured = (provider: string) =>
    models.list().some(({ model, usable: has }) => has && model.provider === provider) ||
    auth(provider)?.apiKey !== undefined;
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
    async getApiKeyAndHeaders(model: Wanted) {
      try {
        const found = auth(model.provider);
        if (found === null) return { ok: false, error: `there is no provider "${model.provider}"` };
        return {
          ok: true,
          ...(found.apiKey === undefined ? {} : { apiKey: found.apiKey }),
          headers: found.headers,
        };
      } catch (thrown) {
        return { ok: false, error: errorMessage(thrown) };
      }
    },
    getApiKeyForProvider: async (provider: string) => auth(provider)?.apiKey,
    getApiKey: async (model: Wanted) => auth(model.provider)?.apiKey,
    getProvider: (provider: string) => {
      const found = auth(provider);
      return found === null ? undefined : { id: provider, name: provider, baseUrl: found.baseUrl };
    },
    getProviderAuth: async (provider: string) => auth(provider) ?? undefined,
    getProviderAuthStatus: (provider: string) => ({ configured: isConfigured(provider) }),
    getProviderDisplayName: (provider: string) => provider,
    isUsingOAuth: () => false,
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
