import type { Wire } from "../../../contract/messages.ts";
import type { ModelInfo, ThinkingLevel } from "../../../contract/model.ts";
import type { PiModel } from "../pi-types.ts";

/** Our wires by Pi's names. */
const APIS: Readonly<Record<Wire, string>> = {
  anthropic: "anthropic-messages",
  "openai-responses": "openai-responses",
  "openai-chat": "openai-completions",
  gemini: "google-generative-ai",
  ollama: "openai-completions",
};

/** The wire that speaks an API of Pi's; undefined when none of ours does. */
export function wireOf(api: string): Wire | undefined {
  return (Object.keys(APIS) as Wire[]).find((wire) => APIS[wire] === api);
}

/** A model as extensions know it. */
export function toPiModel(model: ModelInfo, baseUrl = ""): PiModel {
  const { provider, id, name, wire, reasoning, images, contextWindow, maxOutput, cost } = model;
  return {
    id,
    name,
    provider,
    api: APIS[wire],
    baseUrl,
    reasoning,
    input: images ? ["text", "image"] : ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...cost },
    contextWindow,
    maxTokens: maxOutput,
  };
}

const LEVELS: readonly ThinkingLevel[] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];

export function thinkingLevel(value: unknown): ThinkingLevel | undefined {
  return LEVELS.find((level) => level === value);
}
