/** OpenAI's Responses API, for OpenAI's models and for the services that speak it. */
import type { HistoryRules, ModelClient, ProviderSettings, WireAdapter } from "../../contract/model.ts";
import { callIds } from "../shared/call-ids.ts";
import { listOpenaiModels } from "../shared/openai-models.ts";
import { Refusals } from "../shared/refusals.ts";
import type { OptionalField } from "../shared/refused-fields.ts";
import { failureContext } from "../shared/request-error.ts";
import { wireClient } from "../shared/wire-client.ts";
import { ResponsesReader } from "./decode.ts";
import { encodeRequest } from "./encode.ts";
import { openResponses } from "./transport.ts";

const rules: HistoryRules = {
  callId: /^[a-zA-Z0-9_-]{1,64}$/,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  imagesInResults: true,
};

/** Fields that compatible servers were seen to refuse, from the least to the most telling. */
const optional: OptionalField[] = [
  { name: "stream_options", pattern: /stream_options|include_obfuscation/ },
  { name: "prompt_cache_key" },
  { name: "parallel_tool_calls" },
  { name: "include", pattern: /\binclude\b|encrypted_content/ },
  { name: "summary", pattern: /summar(?:y|ies)/ },
  { name: "reasoning" },
  { name: "strict" },
  { name: "store" },
  { name: "max_output_tokens", limit: true },
  { name: "developer", sent: '"role":"developer"' },
];

/** Refusals of reasoning that was sent back: not readable any more, or without the item beside it. */
const refusedReasoning =
  /encrypted content.{0,80}(?:could not be|cannot be|not) |invalid_encrypted_content|without its required|item with id '?rs_/i;

function open(settings: ProviderSettings): ModelClient {
  const refusals = new Refusals(optional, refusedReasoning);
  return wireClient(settings, rules, (request, source, signal, sending) => ({
    reader: new ResponsesReader(source, callIds(request.messages), failureContext(settings)),
    open: () =>
      openResponses(
        sending,
        () => encodeRequest(request, source, refusals.limits),
        refusals.learner(request),
        signal,
      ),
  }));
}

/** The Responses API as a wire. */
export const openaiResponsesWire: WireAdapter = {
  wire: "openai-responses",
  open,
  listModels: listOpenaiModels,
};
