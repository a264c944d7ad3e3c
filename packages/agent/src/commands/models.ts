import type { CommandDefinition, CommandResult } from "../contract/command.ts";
import type { JsonObject } from "../contract/json.ts";
import type { ModelInfo } from "../contract/model.ts";
import type { Notice } from "../contract/settings.ts";

/** What `pi models` needs: the models that can be used, and the one that would run now (null when none is set up). */
export interface ModelsPorts {
  models: {
    list(
      refresh: boolean,
      signal: AbortSignal,
    ): Promise<{ models: readonly ModelInfo[]; notices: readonly Notice[] }>;
    current(): Promise<{ provider: string; id: string } | null>;
  };
}

/** `pi models [query]`: what can be given to `--model`, with limits and prices. A query without a match exits with 1. */
export const modelsCommand: CommandDefinition<ModelsPorts> = {
  name: "models",
  summary: "list the models that can be used",
  usage: "pi models [query] [--refresh]",
  options: [
    { name: "refresh", kind: "flag", summary: "ask the services again instead of using the kept lists" },
  ],
  accepts: ({ words, options }) =>
    words.length <= 1 && Object.keys(options).every((name) => name === "refresh"),
  async run({ words, options }, { models: port }, signal) {
    const [{ models, notices }, current] = await Promise.all([
      port.list(options["refresh"] === true, signal),
      port.current(),
    ]);
    const query = words[0]?.toLowerCase() ?? "";
    const found = models.filter((model) =>
      `${model.provider}/${model.id} ${model.name}`.toLowerCase().includes(query),
    );
    const isCurrent = (model: ModelInfo) => model.provider === current?.provider && model.id === current.id;
    return result(found, notices, query, isCurrent);
  },
};

function result(
  models: readonly ModelInfo[],
  notices: readonly Notice[],
  query: string,
  isCurrent: (model: ModelInfo) => boolean,
): CommandResult {
  const blocks: CommandResult["blocks"] = notices.map(({ message }) => ({ kind: "text", text: message }));
  if (models.length === 0)
    blocks.push({ kind: "text", text: query ? `no model matches "${query}"` : "no models" });
  else
    blocks.push({
      kind: "table",
      head: ["model", "context", "output", "reasons", "images", "$/M in", "$/M out"],
      rows: models.map((model) => [
        `${model.provider}/${model.id}${isCurrent(model) ? " (current)" : ""}`,
        tokens(model.known, model.contextWindow),
        tokens(model.known, model.maxOutput),
        model.reasoning ? "yes" : "",
        model.images ? "yes" : "",
        price(model.cost?.input),
        price(model.cost?.output),
      ]),
    });
  return {
    exitCode: models.length === 0 ? 1 : 0,
    blocks,
    data: { models: models.map((model) => ({ ...asData(model), current: isCurrent(model) })) },
  };
}

function asData(model: ModelInfo): JsonObject {
  const { cost, levels: _levels, tiers: _tiers, ...facts } = model;
  return { ...facts, ...(cost ? { cost: { ...cost } } : {}) };
}

function tokens(known: boolean, count: number): string {
  if (!known) return "?";
  return count >= 1_000_000 ? `${Math.round(count / 100_000) / 10}M` : `${Math.round(count / 1000)}k`;
}

function price(dollars: number | undefined): string {
  return dollars === undefined ? "?" : String(dollars);
}
