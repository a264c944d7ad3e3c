import type { ModelInfo } from "../../contract/model.ts";
import type { ModelSetting } from "../../contract/settings.ts";

/** A model with what the user's config says of it; a cache price that is not given is the price of input. */
export function withSetting(base: ModelInfo, own: ModelSetting): ModelInfo {
  const { id: _id, cost, ...facts } = own;
  return {
    ...base,
    ...facts,
    known: true,
    ...(cost
      ? {
          cost: {
            input: cost.input,
            output: cost.output,
            cacheRead: cost.cacheRead ?? cost.input,
            cacheWrite: cost.cacheWrite ?? cost.input,
          },
        }
      : {}),
  };
}
