import type { JsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/messages.ts";
import { asCount } from "../shared/read.ts";

/** The prompt count includes what a cache gave; thoughts are counted beside the visible output. */
export function readUsage(raw: JsonObject): Usage {
  const prompt = asCount(raw["promptTokenCount"]) + asCount(raw["toolUsePromptTokenCount"]);
  const cached = Math.min(prompt, asCount(raw["cachedContentTokenCount"]));
  const reasoning = asCount(raw["thoughtsTokenCount"]);
  const output = asCount(raw["candidatesTokenCount"]) + reasoning;
  return {
    input: prompt - cached,
    output,
    cache_read: cached,
    cache_write: 0,
    reasoning,
    total: prompt + output,
  };
}
