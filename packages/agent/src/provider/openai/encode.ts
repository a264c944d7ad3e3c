/** From our request to a body of the Responses API. Pure: the same request gives the same bytes, so that caches stay warm. */
import type { FunctionTool, ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import type { Json, JsonObject } from "../../contract/json.ts";
import type { ModelSource } from "../../contract/messages.ts";
import type { ModelRequest, ToolDeclaration } from "../../contract/model.ts";
import { nearestLevel } from "../shared/levels.ts";
import { outputLimit } from "../shared/output-limit.ts";
import type { EndpointLimits } from "../shared/refusals.ts";
import { wellFormed, wellFormedJson } from "../shared/text.ts";
import { encodeInput } from "./encode-input.ts";

/** The least limit that the service takes. */
const LEAST_OUTPUT = 16;
const CACHE_KEY_LENGTH = 64;

/**
 * Nothing is stored at the service: the reasoning comes back encrypted and is sent again. The system text is the first
 * item, not `instructions`, which new models place behind the input, where it breaks the cache. `strict` is always said,
 * because a service that is not told decides by the schema.
 */
export function encodeRequest(
  request: ModelRequest,
  source: ModelSource,
  limits: EndpointLimits = { dropped: new Set(), thinkingFrom: 0 },
): ResponseCreateParamsStreaming {
  const { model } = request;
  const sent = (field: string) => !limits.dropped.has(field);
  const tools = wellFormedJson(request.tools.map((tool): Json => encodeTool(tool, sent("strict"))));
  const system = wellFormed(request.system);
  const input = encodeInput(request.messages, source, limits.thinkingFrom);
  if (system.trim() !== "")
    input.unshift({ type: "message", role: sent("developer") ? "developer" : "system", content: system });
  const reasoning = sent("reasoning") ? reasoningFields(request, sent("summary")) : undefined;
  const body: ResponseCreateParamsStreaming = {
    model: model.id,
    stream: true,
    ...(sent("store") && { store: false }),
    ...(sent("stream_options") && { stream_options: { include_obfuscation: false } }),
    ...(model.reasoning && sent("include") && { include: ["reasoning.encrypted_content"] }),
    ...(request.cacheKey &&
      sent("prompt_cache_key") && { prompt_cache_key: request.cacheKey.slice(0, CACHE_KEY_LENGTH) }),
    // `strict` is required by the types only: endpoints that refuse the field exist.
    ...(tools.length > 0 && {
      tools: tools as unknown as FunctionTool[],
      ...(sent("parallel_tool_calls") && { parallel_tool_calls: true }),
    }),
    input,
    ...(reasoning && { reasoning }),
  };
  if (request.maxOutput !== undefined && sent("max_output_tokens"))
    body.max_output_tokens = Math.max(LEAST_OUTPUT, outputLimit(request) ?? LEAST_OUTPUT);
  return body;
}

function encodeTool({ name, description, parameters }: ToolDeclaration, strict: boolean): Json {
  const declared = { type: "function", name, description, parameters: parameters as JsonObject };
  return strict ? { ...declared, strict: false } : declared;
}

type Reasoning = NonNullable<ResponseCreateParamsStreaming["reasoning"]>;

/** The effort by the model's own words; a model that cannot be stopped from thinking gets its lowest for `off`. */
function reasoningFields(request: ModelRequest, summary: boolean): Reasoning | undefined {
  const { model, thinking } = request;
  if (!model.reasoning) return undefined;
  const off = thinking === "off" ? model.levels?.["off"] : undefined;
  if (off) return { effort: off as Reasoning["effort"] };
  // Of a model whose levels nobody knows, only the classic three are asked.
  if (!model.levels && thinking === "off") return undefined;
  const level = nearestLevel(model, thinking);
  const classic = level === "minimal" ? "low" : level === "xhigh" || level === "max" ? "high" : level;
  const effort = (model.levels ? (model.levels[level] ?? level) : classic) as Reasoning["effort"];
  return { effort, ...(summary && { summary: "auto" }) };
}
