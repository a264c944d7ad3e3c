import { PiError } from "../../contract/errors.ts";
import type { ExtensionHost } from "../../extension/pi/host/extension-host.ts";
import { systemClock } from "../../platform/clock.ts";
import type { HomeFolders } from "../../platform/home.ts";
import { newId } from "../../platform/ids.ts";
import { createProcessRegistry } from "../../platform/processes/registry.ts";
import type { ModelReference } from "../../provider/registry/model-reference.ts";
import type { ResolvedModel, ResolveOptions } from "../../provider/registry/resolve.ts";
import type { Flags } from "../flags.ts";
import type { Notices } from "../notices.ts";
import type { ChosenModel, Settings, TrustDoors } from "../run-setup.ts";
import { EarlyExtensions } from "./early-extensions.ts";
import { mayHaveExtensions } from "./may-have-extensions.ts";
import { ModelServices } from "./model-services.ts";
import { printedBy } from "./printed-by.ts";

/** What extensions of a run are found by, and told. */
export interface ExtensionsAround {
  flags: Flags;
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  home: HomeFolders;
  cwd: string;
  notices: Notices;
  /** How extensions are told of this run, and people of extensions. */
  doors: Pick<TrustDoors, "mode" | "tell">;
  /** Those of the conversation, when it is open. */
  host?: ExtensionHost | null;
}

/**
 * A model of a service that an extension brings; null when none brings it. Before the conversation is open the extensions are loaded for
 * it, and go on in it. Rejects with the PiError that says why the service cannot be used.
 */
export async function broughtModel(
  wanted: ModelReference,
  options: ResolveOptions,
  parts: ExtensionsAround,
): Promise<ChosenModel | null> {
  const services = await servicesWith(wanted.provider, options, parts);
  if (services === null) return null;
  const opened = await services.open(wanted.provider, wanted.id);
  return { ...opened, ...(services.speaksItself(wanted.provider) ? { brought: true } : {}) };
}

/**
 * The way to such a model, for another process too. Rejects with a PiError where there is none: the extension speaks to the service with code
 * of its own, or something is missing.
 */
export async function broughtWay(
  wanted: ModelReference,
  options: ResolveOptions,
  parts: ExtensionsAround,
): Promise<ResolvedModel | null> {
  const services = await servicesWith(wanted.provider, options, parts);
  if (services === null) return null;
  const way = await services.way(wanted.provider, wanted.id);
  if (way !== null) return way;
  throw new PiError({
    code: "no_model",
    message: `An extension speaks to ${wanted.provider} with code of its own, which works in this conversation only`,
    hint: "Name a model of another service here.",
  });
}

/** The services of the run when an extension brings this one; else null. */
async function servicesWith(
  provider: string,
  options: ResolveOptions,
  parts: ExtensionsAround,
): Promise<ModelServices | null> {
  const host = parts.host ?? (await earlyHost(parts));
  const brings = host?.extensions.some(({ providers }) => providers.has(provider)) === true;
  return host !== null && brings ? servicesOf(host, options, parts) : null;
}

/** The services of a run, with those that its extensions bring. */
export function servicesOf(
  host: ExtensionHost,
  options: ResolveOptions,
  { environment, cwd }: Pick<ExtensionsAround, "environment" | "cwd">,
): ModelServices {
  const processes = createProcessRegistry({ environment, ownerId: newId(), clock: systemClock });
  const services = new ModelServices({
    options,
    // The conversation says it, once it is open.
    refuse: () => undefined,
    printedBy: (command) => printedBy(processes, cwd, command),
  });
  for (const { providers } of host.extensions)
    for (const [name, provider] of providers) services.provide(name, provider);
  return services;
}

async function earlyHost(parts: ExtensionsAround): Promise<ExtensionHost | null> {
  const { flags, settings } = parts;
  if (flags.noExtensions || !mayHaveExtensions(parts)) return null;
  settings.early ??= new EarlyExtensions(parts);
  return await settings.early.load(settings);
}
