import type { Usage } from "../../contract/messages.ts";
import type { ModelCost, ModelInfo } from "../../contract/model.ts";

/**
 * What one request cost in US dollars, or undefined when the model's price is not known. With tiers, the whole request is
 * priced by the highest one whose bound its total input exceeds. A cache price of zero on a model that charges for input
 * means that the service has no price of its own for it: such tokens cost what input costs.
 */
export function priceOf(usage: Usage, model: ModelInfo): number | undefined {
  if (!model.cost) return undefined;
  const total = usage.input + usage.cache_read + usage.cache_write;
  let cost: ModelCost = model.cost;
  let bound = -1;
  for (const tier of model.tiers ?? [])
    if (total > tier.above && tier.above > bound) {
      cost = tier;
      bound = tier.above;
    }
  const dollars =
    usage.input * cost.input +
    usage.output * cost.output +
    usage.cache_read * (cost.cacheRead || cost.input) +
    usage.cache_write * (cost.cacheWrite || cost.input);
  return dollars / 1_000_000;
}
