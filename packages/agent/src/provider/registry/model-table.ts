import type { Wire } from "../../contract/messages.ts";
import type { ModelCost, ModelInfo } from "../../contract/model.ts";
import { MODEL_TABLE } from "./models.generated.ts";

type Price = [number, number, number, number];
type Row = [string, string | 0, number, number, number, number, Price | 0, [number, ...Price][]?];
interface Table {
  levels: Readonly<Record<string, string | null>>[];
  rows: Map<string, Row>;
}

const parsed = new Map<string, Table>();

/** One provider's rows; parsed when first asked for, since most runs need one provider of the thirteen. */
function tableOf(provider: string): Table | undefined {
  const known = parsed.get(provider);
  if (known) return known;
  if (!Object.hasOwn(MODEL_TABLE, provider)) return undefined;
  const raw = JSON.parse(MODEL_TABLE[provider]!) as { levels: Table["levels"]; rows: Row[] };
  const table: Table = { levels: raw.levels, rows: new Map(raw.rows.map((row) => [row[0], row])) };
  parsed.set(provider, table);
  return table;
}

/** Ids of a provider's models in the built-in table, in its order; empty for a provider that is not in it. */
export function tableModels(provider: string): string[] {
  return [...(tableOf(provider)?.rows.keys() ?? [])];
}

/** Names of the providers in the built-in table. */
export function tableProviders(): string[] {
  return Object.keys(MODEL_TABLE);
}

/**
 * What the built-in table knows of a model, or undefined. A dated or `-latest` form of a known id counts as that model; an
 * Ollama name that ends in `:cloud` or `-cloud` is looked up among Ollama's cloud models (its price is the plan's: not known).
 */
export function tableModel(provider: string, id: string, wire: Wire): ModelInfo | undefined {
  if (provider === "ollama") {
    const name = /^(.+)[:-]cloud$/.exec(id)?.[1];
    const info = name === undefined ? undefined : tableModel("ollama-cloud", name, wire);
    if (!info) return undefined;
    const { cost: _cost, tiers: _tiers, ...facts } = info;
    return { ...facts, provider, id };
  }
  const table = tableOf(provider);
  const row = table?.rows.get(id) ?? table?.rows.get(id.replace(/(-\d{8}|-\d{4}-\d{2}-\d{2}|-latest)$/, ""));
  if (!table || !row) return undefined;
  const [, name, contextWindow, maxOutput, abilities, level, price, tiers] = row;
  const levels = table.levels[level];
  return {
    provider,
    id,
    name: name === 0 ? row[0] : name,
    wire,
    known: true,
    contextWindow,
    maxOutput,
    images: (abilities & 1) !== 0,
    reasoning: (abilities & 2) !== 0,
    ...(levels ? { levels } : {}),
    ...(price === 0 ? {} : { cost: costOf(price) }),
    ...(price !== 0 && tiers ? { tiers: tiers.map(([above, ...rest]) => ({ above, ...costOf(rest) })) } : {}),
  };
}

function costOf([input, output, cacheRead, cacheWrite]: Price): ModelCost {
  return { input, output, cacheRead, cacheWrite };
}

/** Careful limits for a model that nobody knows: small enough to be true almost everywhere. */
export function unknownModel(provider: string, id: string, wire: Wire): ModelInfo {
  const local = wire === "ollama";
  return {
    provider,
    id,
    name: id,
    wire,
    known: false,
    contextWindow: local ? 32_768 : 128_000,
    maxOutput: local ? 8_192 : 16_384,
    images: wire === "anthropic" || wire === "gemini" || wire === "openai-responses",
    reasoning: false,
  };
}
