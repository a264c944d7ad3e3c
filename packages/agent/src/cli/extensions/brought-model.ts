import type { ExtensionHost } from "../../extension/pi/host/extension-host.ts";
import { systemClock } from "../../platform/clock.ts";
import type { HomeFolders } from "../../platform/home.ts";
import { newId } from "../../platform/ids.ts";
import { createProcessRegistry } from "../../platform/processes/registry.ts";
import type { ModelReference } from "../../provider/registry/model-reference.ts";
import type { ResolveOptions } from "../../provider/registry/resolve.ts";
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
  const host = parts.host ?? (await earlyHost(parts));
  if (host?.extensions.some(({ providers }) => providers.has(wanted.provider)) !== true) return null;
  const opened = await servicesOf(host, options, parts).open(wanted.provider, wanted.id);
  return { ...opened, brought: true };
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
