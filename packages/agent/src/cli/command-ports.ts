import type { DoctorPorts } from "../commands/doctor.ts";
import type { ModelsPorts } from "../commands/models.ts";
import type { PingPorts } from "../commands/ping.ts";
import { errorMessage, isPiError } from "../contract/errors.ts";
import type { ModelInfo } from "../contract/model.ts";
import type { Notice } from "../contract/settings.ts";
import type { Streams } from "../modes/shared/surface.ts";
import { systemClock } from "../platform/clock.ts";
import { newId } from "../platform/ids.ts";
import { createProcessRegistry } from "../platform/processes/registry.ts";
import { knownModels, listModels } from "../provider/registry/list-models.ts";
import { lookForKey } from "../provider/registry/provider-key.ts";
import { providerTarget } from "../provider/registry/provider-target.ts";
import { BUILT_IN_PROVIDERS } from "../provider/registry/providers.ts";
import { type ResolveOptions, resolveModel } from "../provider/registry/resolve.ts";
import { loadWire } from "../provider/registry/wires.ts";
import { resolveOptions } from "./choose-model.ts";
import type { DemoPorts } from "./demo/demo-command.ts";
import type { Flags } from "./flags.ts";
import type { Interruptions } from "./interruption.ts";
import { Notices } from "./notices.ts";
import type { Place } from "./run-prompt.ts";
import { loadSettings, type Settings } from "./settings.ts";

type Ports = DoctorPorts & ModelsPorts & PingPorts & DemoPorts & { close(): Promise<void> };

/** What the sub-commands are handed; each part is made when a command first asks for it. */
export function commandPorts(
  flags: Flags,
  place: Place,
  streams: Streams,
  interruptions: Interruptions,
): Ports {
  const notices = new Notices();
  const processes = createProcessRegistry({
    environment: place.environment,
    ownerId: newId(),
    clock: systemClock,
  });
  let loaded: Promise<{ settings: Settings; options: ResolveOptions }> | undefined;
  const setup = () => {
    loaded ??= (async () => {
      const settings = await loadSettings(flags, place.environment, place.cwd, place.home, notices);
      return {
        settings,
        options: await resolveOptions(flags, settings, place.environment, place.home, notices),
      };
    })();
    return loaded;
  };
  return {
    doctor: {
      async checks() {
        const { doctorChecks } = await import("./doctor-checks.ts");
        const { createShellFor } = await import("./shell.ts");
        const { settings, options } = await setup();
        const shell = createShellFor(settings, place, processes);
        const confinement = await shell.prepare();
        return doctorChecks({
          home: place.home,
          cwd: place.cwd,
          processes,
          confinement,
          resolve: () => resolveModel(options),
          notices: notices.take(),
        });
      },
    },
    ping: {
      clock: { now: () => performance.now() },
      async target() {
        const { options } = await setup();
        const resolved = await resolveModel(options);
        const adapter = await loadWire(resolved.settings.wire);
        return {
          model: resolved.model,
          baseUrl: resolved.settings.baseUrl,
          key:
            resolved.key === null
              ? null
              : {
                  variable: resolved.key.variable,
                  source: resolved.key.source,
                  masked: mask(resolved.key.value),
                },
          client: adapter.open(resolved.settings),
          notices: [...notices.take(), ...resolved.notices],
        };
      },
    },
    models: {
      async list(refresh, signal) {
        const { options } = await setup();
        const listed = await listAll(options, refresh, place.home.cache, signal);
        return { models: listed.models, notices: [...notices.take(), ...listed.notices] };
      },
      async current() {
        try {
          const { model } = await resolveModel((await setup()).options);
          return { provider: model.provider, id: model.id };
        } catch (error) {
          if (isPiError(error)) return null; // nothing is set up yet: no model is the current one
          throw error;
        }
      },
    },
    demo: { place, streams, interruptions },
    close: () => processes.endAll(),
  };
}

/** Services with a key are asked (or their kept lists used); of the others the built-in table is shown. */
async function listAll(
  options: ResolveOptions,
  refresh: boolean,
  cacheFolder: string,
  signal: AbortSignal,
): Promise<{ models: ModelInfo[]; notices: Notice[] }> {
  const notices: Notice[] = [];
  const names = [
    ...new Set([...BUILT_IN_PROVIDERS.map(({ name }) => name), ...Object.keys(options.providers)]),
  ];
  const lists = await Promise.all(
    names.map(async (name) => {
      const target = providerTarget(name, options);
      if (!target) return [];
      const key = lookForKey(target, options.keys);
      const usable = key.state === "ok" || (!target.keyRequired && target.apiKey === undefined);
      const known = knownModels(target.name, target.wire);
      if (!usable) return known;
      try {
        const settings = {
          provider: target.name,
          wire: target.wire,
          baseUrl: target.baseUrl,
          headers: { ...options.headers, ...target.headers, ...options.flagHeaders },
          fetch: options.fetch,
          ...(key.state === "ok" ? { apiKey: key.key.value } : {}),
        };
        return await listModels(
          settings,
          { cacheFolder, clock: systemClock, refresh },
          AbortSignal.any([signal, AbortSignal.timeout(5_000)]),
        );
      } catch (error) {
        // An Ollama that does not run is no news.
        if (target.keyRequired)
          notices.push({
            level: "warning",
            message: `${target.name} did not list its models (${errorMessage(error)}); what is built in is shown`,
          });
        return known;
      }
    }),
  );
  return { models: lists.flat(), notices };
}

function mask(key: string): string {
  return key.length < 12 ? "…" : `${key.slice(0, 4)}…${key.slice(-4)}`;
}
