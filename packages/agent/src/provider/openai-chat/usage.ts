import type { JsonObject } from "../../contract/json.ts";
import { noUsage, type Usage } from "../../contract/messages.ts";
import { asCount, asList, asObject } from "../shared/read.ts";

/** The usage of a chunk, wherever the server puts it: on the chunk, on a choice (Moonshot), under `x_groq` (Groq). */
export function chunkUsage(chunk: JsonObject): Usage | undefined {
  const choice = asObject(asList(chunk["choices"])[0]);
  const raw =
    asObject(chunk["usage"]) ?? asObject(choice?.["usage"]) ?? asObject(asObject(chunk["x_groq"])?.["usage"]);
  return raw === undefined ? undefined : readUsage(raw);
}

/** `prompt_tokens` includes what was read from and written to a cache; our `input` does not. */
function readUsage(raw: JsonObject): Usage {
  const prompt = asObject(raw["prompt_tokens_details"]);
  const completion = asObject(raw["completion_tokens_details"]);
  const total = asCount(raw["prompt_tokens"]);
  const cacheRead = Math.min(
    total,
    asCount(prompt?.["cached_tokens"]) ||
      asCount(raw["prompt_cache_hit_tokens"]) || // DeepSeek
      asCount(raw["cached_tokens"]), // Moonshot
  );
  const cacheWrite = Math.min(total - cacheRead, asCount(prompt?.["cache_write_tokens"]));
  const output = asCount(raw["completion_tokens"]);
  return {
    ...noUsage(),
    input: total - cacheRead - cacheWrite,
    output,
    cache_read: cacheRead,
    cache_write: cacheWrite,
    reasoning: Math.min(output, asCount(completion?.["reasoning_tokens"])),
    total: total + output,
  };
}
