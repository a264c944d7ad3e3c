import type { ModelRequest } from "../../contract/model.ts";

/**
 * Tokens that an answer may use: what was asked for, but never more than the model can. Undefined leaves it to the
 * service, which knows its own limit better than a guess.
 */
export function outputLimit({ model, maxOutput }: ModelRequest): number | undefined {
  // A limit as large as the window means "no limit of its own": asking for it would leave no room for the prompt.
  const own = model.known && model.maxOutput > 0 && model.maxOutput < model.contextWindow;
  if (maxOutput === undefined) return own ? model.maxOutput : undefined;
  return own ? Math.min(maxOutput, model.maxOutput) : maxOutput;
}
