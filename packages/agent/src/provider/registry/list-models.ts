import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ListedModel, ModelInfo, ProviderSettings } from "../../contract/model.ts";
import type { Clock } from "../../contract/services.ts";
import { writeFileAtomic } from "../../platform/atomic-file.ts";
import { ensurePrivateFolder } from "../../platform/private-folder.ts";
import { tableModel, tableModels, unknownModel } from "./model-table.ts";
import { loadWire } from "./wires.ts";

/** How long a list that a service gave is good, in milliseconds. */
const FRESH_MS = 24 * 60 * 60 * 1000;

interface CachedList {
  fetchedAt: number;
  baseUrl: string;
  models: ListedModel[];
}

export interface ListOptions {
  /** `~/.pi-go/cache`. */
  cacheFolder: string;
  clock: Pick<Clock, "now">;
  /** Ask even if the kept list is fresh. */
  refresh?: boolean;
}

/**
 * The models that a provider's service offers now, or as it said within the last day. Never on the way to a first request.
 * Throws the wire's PiError when the service cannot be asked; a list that cannot be kept is given all the same.
 */
export async function listModels(
  settings: ProviderSettings,
  options: ListOptions,
  signal: AbortSignal,
): Promise<ModelInfo[]> {
  const kept = options.refresh ? null : readKept(settings, options);
  const models = kept ?? (await ask(settings, options, signal));
  return mergeListed(settings, models);
}

/** What the built-in table knows of a provider's models, without asking anyone. */
export function knownModels(provider: string, wire: ProviderSettings["wire"]): ModelInfo[] {
  return tableModels(provider).map((id) => tableModel(provider, id, wire)!);
}

async function ask(
  settings: ProviderSettings,
  options: ListOptions,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const wire = await loadWire(settings.wire);
  const models = await wire.listModels(settings, signal);
  const kept: CachedList = { fetchedAt: options.clock.now(), baseUrl: settings.baseUrl, models };
  try {
    ensurePrivateFolder(options.cacheFolder);
    ensurePrivateFolder(join(options.cacheFolder, "models"));
    writeFileAtomic(fileOf(settings, options), JSON.stringify(kept), { mode: 0o600, durable: false });
  } catch {
    // a read-only or full disk: the list is asked for again next time
  }
  return models;
}

function readKept(settings: ProviderSettings, options: ListOptions): ListedModel[] | null {
  try {
    const kept = JSON.parse(readFileSync(fileOf(settings, options), "utf8")) as CachedList;
    const age = options.clock.now() - kept.fetchedAt;
    const usable = kept.baseUrl === settings.baseUrl && age >= 0 && age < FRESH_MS;
    return usable && Array.isArray(kept.models) ? kept.models : null;
  } catch {
    // never kept, or damaged: ask
    return null;
  }
}

function fileOf(settings: ProviderSettings, options: ListOptions): string {
  return join(options.cacheFolder, "models", `${encodeURIComponent(settings.provider)}.json`);
}

/** The service's list, with what the built-in table knows where the service does not say. */
function mergeListed(settings: ProviderSettings, models: readonly ListedModel[]): ModelInfo[] {
  return models.map((listed) => {
    const known = tableModel(settings.provider, listed.id, settings.wire);
    const base = known ?? unknownModel(settings.provider, listed.id, settings.wire);
    const said = Object.fromEntries(Object.entries(listed).filter(([, value]) => value !== undefined));
    return { ...base, ...said, known: known !== undefined || listed.contextWindow !== undefined };
  });
}
