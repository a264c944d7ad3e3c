/** From our request to the body of a chat completion. Pure: the same request gives the same bytes. */
import type { Json, JsonObject } from "../../contract/json.ts";
import type { ModelSource } from "../../contract/messages.ts";
import type { ModelRequest, ThinkingLevel } from "../../contract/model.ts";
import { wellFormedJson } from "../shared/text.ts";
import type { Dialect } from "./dialect.ts";
import { encodeMessages } from "./encode-messages.ts";

/** Effort for levels that the model's own table does not name; what all servers with effort take. */
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

/** Tokens that the answer may use; undefined leaves it to the server, which knows its own limit better than a guess. */
function outputLimit({ model, maxOutput }: ModelRequest): number | undefined {
  // A limit as large as the window means "no limit of its own": asking for it would leave no room for the prompt.
  const own = model.known && model.maxOutput > 0 && model.maxOutput < model.contextWindow;
  if (maxOutput === undefined) return own ? model.maxOutput : undefined;
  return own ? Math.min(maxOutput, model.maxOutput) : maxOutput;
}

/** Servers that refuse one name of the limit take the other; one that refuses both gets none. */
function limitField(dialect: Dialect, dropped: ReadonlySet<string>): string {
  const other = dialect.limitField === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  return dropped.has(dialect.limitField) ? other : dialect.limitField;
}

function effort({ model, thinking }: ModelRequest, dialect: Dialect): JsonObject {
  if (!model.reasoning) return {};
  const mapped = model.levels?.[thinking];
  if (mapped === null) return {};
  const off = thinking === "off";
  const value = mapped ?? (off ? undefined : effortByLevel[thinking]);
  if (dialect.effort === "object") {
    if (value === undefined) return { reasoning: { enabled: false } };
    return { reasoning: { effort: value } };
  }
  const field: JsonObject = value === undefined ? {} : { reasoning_effort: value };
  if (dialect.effort === "field") return field;
  return off ? { thinking: { type: "disabled" } } : { thinking: { type: "enabled" }, ...field };
}
