/** From our thinking levels to what a model offers. */
import type { ModelInfo, ThinkingLevel } from "../../contract/model.ts";

const LEVELS: readonly ThinkingLevel[] = ["minimal", "low", "medium", "high", "xhigh", "max"];

/** The nearest level at or below the wanted one that the model offers, else the next above; `off` asks for the lowest. */
export function nearestLevel(model: ModelInfo, level: ThinkingLevel): ThinkingLevel {
  const wanted = Math.max(0, LEVELS.indexOf(level));
  const order = [...LEVELS.slice(0, wanted + 1).reverse(), ...LEVELS.slice(wanted + 1)];
  return order.find((candidate) => model.levels?.[candidate] !== null) ?? "high";
}
