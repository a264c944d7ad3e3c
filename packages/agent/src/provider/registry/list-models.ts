import { join } from "node:path";
import type { ListedModel, ModelInfo, ProviderSettings } from "../../contract/model.ts";
import type { Clock } from "../../contract/services.ts";
import { writeFileAtomic } from "../../platform/atomic-file.ts";
import { ensurePrivateFolder } from "../../platform/private-folder.ts";
import { readSmallFile } from "../../platform/read-small-file.ts";
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
    writeFileAtomic(fileOf(settings, options.cacheFolder), JSON.stringify(kept), {
      mode: 0o600,
      durable: false,
    });
  } catch {
    // a read-only or full disk: the list is asked for again next time
  }
  return models;
}

function readKept(settings: ProviderSettings, options: ListOptions): ListedModel[] | null {
  const kept = readList(settings, options.cacheFolder);
  const age = options.clock.now() - (kept?.fetchedAt ?? 0);
  return kept !== null && age >= 0 && age < FRESH_MS ? kept.models : null;
}

/** The kept list of an address, whatever its age; null when there is none that can be read. */
function readList(
  settings: Pick<ProviderSettings, "provider" | "baseUrl">,
  cacheFolder: string,
): CachedList | null {
  try {
    const kept = JSON.parse(readSmallFile(fileOf(settings, cacheFolder))) as CachedList;
    return kept.baseUrl === settings.baseUrl && Array.isArray(kept.models) ? kept : null;
  } catch {
    // never kept, or damaged: as if nobody had asked
    return null;
  }
}

function fileOf(settings: Pick<ProviderSettings, "provider">, cacheFolder: string): string {
  return join(cacheFolder, "models", `${encodeURIComponent(settings.provider)}.json`);
}

/** The service's list, with what the built-in table knows where the service does not say. */
function mergeListed(settings: ProviderSettings, models: readonly ListedModel[]): ModelInfo[] {
  return models.map((listed) => mergeOne(settings, listed));
}

function mergeOne(
  { provider, wire }: Pick<ProviderSettings, "provider" | "wire">,
  listed: ListedModel,
): ModelInfo {
  const known = tableModel(provider, listed.id, wire);
  const base = known ?? unknownModel(provider, listed.id, wire);
  const said = Object.fromEntries(Object.entries(listed).filter(([, value]) => value !== undefined));
  return { ...base, ...said, known: known !== undefined || listed.contextWindow !== undefined };
}

/**
 * What a service last said of one of its models (`pi models` asked it, at any time before): better than a guess for a model
 * that the built-in table does not know. Null when it was not asked or does not have it. Asks nobody.
 */
export function keptModel(
  settings: Pick<ProviderSettings, "provider" | "wire" | "baseUrl">,
  id: string,
  cacheFolder: string,
): ModelInfo | null {
  const kept = readList(settings, cacheFolder);
  const listed = kept?.models.find((model) => model.id === id);
  return listed === undefined ? null : mergeOne(settings, listed);
}
