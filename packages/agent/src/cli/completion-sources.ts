import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Candidate, CompletionSources } from "../commands/completions/complete-line.ts";
import type { ValueKind } from "../commands/completions/value-kind.ts";
import type { FetchLike } from "../contract/model.ts";
import { systemClock } from "../platform/clock.ts";
import { isLoopback } from "../platform/loopback.ts";
import { availableModels } from "../provider/registry/available-models.ts";
import { BUILT_IN_PROVIDERS } from "../provider/registry/providers.ts";
import type { ResolveOptions } from "../provider/registry/resolve.ts";
import { FLAGS } from "./flag-table.ts";
import { Notices } from "./notices.ts";
import { sessionStore } from "./open-session.ts";
import type { Place } from "./place.ts";
import type { Settings } from "./run-setup.ts";
import { commandList } from "./sub-commands.ts";

interface SourcesParts {
  place: Place;
  /** Settings and what models are found with; loaded at the first use. */
  setup(): Promise<{ settings: Settings; options: ResolveOptions }>;
}

/** Whoever presses a key to complete a word waits for no service: one on this machine is asked for so long. Milliseconds. */
const PATIENCE_MS = 300;
/** Sessions beyond the newest are found by `pi sessions list`. */
const MOST_SESSIONS = 50;

/** What the command line is completed from: the tables that it is read with, and what the disk and the settings know. */
export async function completionSources({ place, setup }: SourcesParts): Promise<CompletionSources> {
  const finders: Readonly<Record<Exclude<ValueKind, "files">, () => Promise<Candidate[]>>> = {
    models: async () => models((await setup()).options, place),
    providers: async () => providers((await setup()).settings),
    sessions: async () => sessions(place),
    specs: async () => specs(place),
  };
  return { flags: FLAGS, commands: await commandList(), values: (kind) => finders[kind]() };
}

async function models(options: ResolveOptions, { home }: Place): Promise<Candidate[]> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const list = { cacheFolder: home.cache, clock: systemClock, refresh: false };
  const { localModels } = options;
  const found = await availableModels(
    {
      ...options,
      fetch: nearby(options.fetch, patience),
      localModels: async (address) =>
        isNearby(address) ? Promise.race([localModels?.(address) ?? null, aborted(patience)]) : null,
    },
    list,
    patience,
  );
  return found.models.map(({ provider, id, name }) => ({ value: `${provider}/${id}`, description: name }));
}

/** Lists that are not kept yet are asked of this machine only. */
function nearby(fetch: FetchLike, signal: AbortSignal): FetchLike {
  return async (input, init) => {
    if (!isNearby(input instanceof Request ? input.url : String(input)))
      throw new Error("completions ask no service");
    return fetch(input, { ...init, signal });
  };
}

function isNearby(address: string): boolean {
  const host = URL.parse(address)?.hostname;
  return host !== undefined && isLoopback(host);
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(null), { once: true }));
}

function providers({ config }: Settings): Candidate[] {
  const names = new Set([...BUILT_IN_PROVIDERS.map(({ name }) => name), ...Object.keys(config.providers)]);
  return [...names].map((value) => ({ value, description: "" }));
}

function sessions(place: Place): Candidate[] {
  return sessionStore(place.home, new Notices())
    .list({ cwd: place.cwd })
    .slice(0, MOST_SESSIONS)
    .map(({ id, title = "" }) => ({ value: id, description: title }));
}

function specs({ cwd }: Place): Candidate[] {
  try {
    return readdirSync(join(cwd, "specs"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ value: name, description: "" }));
  } catch {
    // the project has none
    return [];
  }
}
