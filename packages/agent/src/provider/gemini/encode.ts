/** From our request to the body of `streamGenerateContent`. Pure: the same request gives the same bytes. */
import type { Json, JsonObject } from "../../contract/json.ts";
import type { ModelSource } from "../../contract/messages.ts";
import type { ModelRequest } from "../../contract/model.ts";
import { outputLimit } from "../shared/output-limit.ts";
import type { EndpointLimits } from "../shared/refusals.ts";
import { wellFormedJson } from "../shared/text.ts";
import { encodeContents } from "./encode-contents.ts";
import { thinkingConfig } from "./thinking.ts";

/** The body for a streamed answer, without what the service was found to refuse. */
export function encodeGemini(
  request: ModelRequest,
  source: ModelSource,
  { dropped, thinkingFrom }: EndpointLimits,
): JsonObject {
  const limit = outputLimit(request);
  const thinking = dropped.has("thinkingConfig") ? undefined : thinkingConfig(request);
  const generation: JsonObject = {
    ...(limit !== undefined && { maxOutputTokens: limit }),
    ...(thinking !== undefined && { thinkingConfig: thinking }),
  };
  return wellFormedJson({
    contents: encodeContents(request, source, thinkingFrom),
    ...(request.system !== "" && { systemInstruction: { parts: [{ text: request.system }] } }),
    ...(request.tools.length > 0 && { tools: [{ functionDeclarations: request.tools.map(encodeTool) }] }),
    ...(Object.keys(generation).length > 0 && { generationConfig: generation }),
  });
}

function encodeTool(tool: ModelRequest["tools"][number]): Json {
  return {
    name: tool.name,
    description: tool.description,
    parametersJsonSchema: withoutConst(tool.parameters as unknown as JsonObject),
  };
}

/** Gemini ignores `const`: a list of one value says the same. `$schema` is no part of the meaning. */
function withoutConst(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutConst);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
    if (keyword === "$schema" && typeof value === "string") return [];
    if (keyword === "const" && (typeof value !== "object" || value === null)) return [["enum", [value]]];
    return [[keyword, withoutConst(value)]];
  });
  return Object.fromEntries(entries);
}
