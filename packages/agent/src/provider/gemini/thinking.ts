import type { JsonObject } from "../../contract/json.ts";
import type { ModelRequest, ThinkingLevel } from "../../contract/model.ts";
import { nearestLevel } from "../shared/levels.ts";
import { isModern } from "./generation.ts";

/** Tokens of thinking on models that take a budget (2.5). */
const budgets: Record<ThinkingLevel, number> = {
  off: 0,
  minimal: 512,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

/** Pro models of 2.5 cannot go without: this is their least. */
const LEAST_PRO = 128;

/**
 * The `thinkingConfig` of a request: a level from generation 3 on, a budget before; never both (the service refuses that).
 * Models that cannot switch thinking off get the least of it, unseen.
 */
export function thinkingConfig({ model, thinking }: ModelRequest): JsonObject | undefined {
  if (!model.reasoning) return undefined;
  const includeThoughts = thinking !== "off";
  if (!isModern(model.id)) {
    const least = /-pro\b/.test(model.id) ? LEAST_PRO : 0;
    return { includeThoughts, thinkingBudget: Math.max(least, budgets[thinking]) };
  }
  const offered = nearestLevel(model, thinking);
  const word = model.levels?.[offered] ?? (offered === "xhigh" || offered === "max" ? "high" : offered);
  return { includeThoughts, thinkingLevel: word.toUpperCase() };
}
