/** From our request to the body of a chat completion. Pure: the same request gives the same bytes. */
import type { Json, JsonObject } from "../../contract/json.ts";
import type { ModelSource } from "../../contract/messages.ts";
import type { ModelInfo, ModelRequest, ThinkingLevel } from "../../contract/model.ts";
import { nearestLevel } from "../shared/levels.ts";
import { outputLimit } from "../shared/output-limit.ts";
import { wellFormedJson } from "../shared/text.ts";
import type { Dialect } from "./dialect.ts";
import { encodeMessages } from "./encode-messages.ts";

/** Effort for levels of a model without a table of its own: what all servers with effort take. */
const effortByLevel: Record<Exclude<ThinkingLevel, "off">, string> = {
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

/** The body of a streamed chat completion, without the fields in `dropped`. */
export function encodeChat(
  request: ModelRequest,
  source: ModelSource,
  dialect: Dialect,
  dropped: ReadonlySet<string>,
): JsonObject {
  const { model } = request;
  const body: JsonObject = {
    model: model.id,
    messages: encodeMessages(request, source, dialect, dropped),
    stream: true,
    stream_options: {
      include_usage: true,
      ...(dialect.official && { include_obfuscation: false }),
    },
  };
  if (request.tools.length > 0)
    body["tools"] = request.tools.map((tool) => encodeTool(tool, dialect, dropped));
  const limit = outputLimit(request);
  if (limit !== undefined) body[limitField(dialect, dropped)] = limit;
  if (dialect.official) {
    body["store"] = false;
    if (request.cacheKey) body["prompt_cache_key"] = request.cacheKey.slice(0, 64);
  }
  Object.assign(body, effort(request, dialect));
  for (const field of dropped) delete body[field];
  return wellFormedJson(body);
}

function encodeTool(
  tool: ModelRequest["tools"][number],
  dialect: Dialect,
  dropped: ReadonlySet<string>,
): Json {
  return {
    type: "function",
    function: {
      name: tool.name,
      description: tool.description,
      parameters: tool.parameters as unknown as JsonObject,
      // Explicit where it is known to be taken: its default has changed before.
      ...(dialect.official && !dropped.has("strict") && { strict: false }),
    },
  };
}

/** Servers that refuse one name of the limit take the other; one that refuses both gets none. */
function limitField(dialect: Dialect, dropped: ReadonlySet<string>): string {
  const other = dialect.limitField === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  return dropped.has(dialect.limitField) ? other : dialect.limitField;
}

function effort({ model, thinking }: ModelRequest, dialect: Dialect): JsonObject {
  if (!model.reasoning) return {};
  const off = thinking === "off";
  const value = off ? model.levels?.off : effortFor(model, thinking);
  // Null: this model always thinks, and there is no word for "off".
  if (value === null) return {};
  if (dialect.effort === "object")
    return { reasoning: value === undefined ? { enabled: false } : { effort: value } };
  const field: JsonObject = value === undefined ? {} : { reasoning_effort: value };
  if (dialect.effort === "field") return field;
  return off ? { thinking: { type: "disabled" } } : { thinking: { type: "enabled" }, ...field };
}

function effortFor(model: ModelInfo, level: Exclude<ThinkingLevel, "off">): string {
  const offered = nearestLevel(model, level);
  return model.levels?.[offered] ?? effortByLevel[offered === "off" ? level : offered];
}
