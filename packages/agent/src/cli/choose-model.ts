import { isPiError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { ModelInfo } from "../contract/model.ts";
import type { ExtensionHost } from "../extension/pi/host/extension-host.ts";
import type { HomeFolders } from "../platform/home.ts";
import { createFetch } from "../provider/registry/fetch.ts";
import type { ModelReference } from "../provider/registry/model-reference.ts";
import { builtInProvider } from "../provider/registry/providers.ts";
import { type ResolvedModel, type ResolveOptions, resolveModel } from "../provider/registry/resolve.ts";
import { loadWire } from "../provider/registry/wires.ts";
import type { ExtensionsAround } from "./extensions/brought-model.ts";
import type { Flags } from "./flags.ts";
import { loginsOf, providersWith } from "./login/kept-logins.ts";
import type { Notices } from "./notices.ts";
import type { ChosenModel, Settings } from "./run-setup.ts";

/** What {@link resolveModel} needs, from flags, configuration and environment. */
export async function resolveOptions(
  flags: Flags,
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
  home: HomeFolders,
  notices: Notices,
): Promise<ResolveOptions> {
  const { config, keys } = settings;
  const { fetch, notices: fetchNotices } = await createFetch({
    environment,
    caCert: config.caCert ?? null,
    insecure: config.insecure,
  });
  notices.add(...fetchNotices);
  const logins = await loginsOf(home, environment);
  return {
    request: flags.model,
    role: flags.role,
    roles: config.roles,
    providers: providersWith(config, logins),
    headers: config.headers,
    flagHeaders: flags.headers,
    environment,
    url: flags.url,
    keys,
    environmentFile: home.environmentFile,
    ...(logins === undefined ? {} : { logins }),
    fetch,
    cacheFolder: home.cache,
    localModels: async (baseUrl) => {
      const { localOllamaModels } = await import("../provider/ollama/local-models.ts");
      return localOllamaModels(baseUrl, fetch);
    },
  };
}

/** Chooses the model of a run: of a service that an extension brings, when its name is no other's, or as {@link chooseModel} does. */
export async function chooseRunModel(
  options: ResolveOptions,
  resumed: Readonly<JsonObject> | null,
  parts: ExtensionsAround,
): Promise<ChosenModel> {
  const wanted = ofUnknownProvider(options, resumed);
  if (wanted !== null) {
    const { broughtModel } = await import("./extensions/brought-model.ts");
    const brought = await broughtModel(wanted, options, parts);
    if (brought !== null) return brought;
  }
  return await chooseModel(options, resumed, parts.notices);
}

/** The way to a model as {@link chooseRunModel} finds it, for a sign of life or another process. Rejects with a PiError where there is none. */
export async function resolveRunModel(
  options: ResolveOptions,
  parts: ExtensionsAround,
): Promise<ResolvedModel> {
  const wanted = ofUnknownProvider(options, null);
  if (wanted !== null) {
    const { broughtWay } = await import("./extensions/brought-model.ts");
    const way = await broughtWay(wanted, options, parts);
    if (way !== null) return way;
  }
  return await resolveModel(options);
}

/** Listed models less those that the extensions of a conversation bring, and theirs with whether they can be used. */
export async function besideBrought(
  listed: readonly ModelInfo[],
  host: ExtensionHost | null,
  options: ResolveOptions,
  place: Pick<ExtensionsAround, "environment" | "cwd">,
): Promise<{ others: readonly ModelInfo[]; brought: readonly { model: ModelInfo; usable: boolean }[] }> {
  if (host === null) return { others: listed, brought: [] };
  const { servicesOf } = await import("./extensions/brought-model.ts");
  return servicesOf(host, options, place).beside(listed);
}

/** What is asked for, when it names a provider that neither the configuration nor pi knows. */
function ofUnknownProvider(
  { request, role, roles, providers }: ResolveOptions,
  resumed: Readonly<JsonObject> | null,
): ModelReference | null {
  const set = roles[role ?? "default"] ?? roles["default"];
  const { provider: last, model } = resumed ?? {};
  const used = typeof last === "string" && typeof model === "string" && !role ? `${last}/${model}` : null;
  const text = request || used || set?.model || "";
  const named = request || used ? undefined : set?.provider;
  const slash = text.indexOf("/");
  const provider = named ?? text.slice(0, Math.max(0, slash));
  if (provider === "" || Object.hasOwn(providers, provider) || builtInProvider(provider) !== undefined)
    return null;
  return { provider, id: text.startsWith(`${provider}/`) ? text.slice(provider.length + 1) : text };
}

/**
 * Chooses the model: flags, else what a resumed session used, else the configuration. A resumed session whose model cannot run
 * any more goes on with the configured one, and says so. Throws a PiError with exit code 4 when nothing can run.
 */
export async function chooseModel(
  options: ResolveOptions,
  resumed: Readonly<JsonObject> | null,
  notices: Notices,
): Promise<ChosenModel> {
  const resolved = await resolve(options, resumed, notices);
  notices.add(...resolved.notices);
  const adapter = await loadWire(resolved.settings.wire);
  return {
    model: resolved.model,
    client: adapter.open(resolved.settings),
    secret: resolved.key?.value ?? null,
  };
}

async function resolve(
  options: ResolveOptions,
  resumed: Readonly<JsonObject> | null,
  notices: Notices,
): Promise<ResolvedModel> {
  const { provider, model } = resumed ?? {};
  if (options.request || options.role || typeof provider !== "string" || typeof model !== "string")
    return resolveModel(options);
  try {
    return await resolveModel({ ...options, request: `${provider}/${model}` });
  } catch (error) {
    if (!isPiError(error)) throw error;
    const other = await resolveModel(options);
    notices.warn(
      `this session used ${provider}/${model}, which cannot run now (${error.message}); it goes on with ${other.model.provider}/${other.model.id}`,
    );
    return other;
  }
}
