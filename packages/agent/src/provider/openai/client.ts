/** OpenAI's Responses API, for OpenAI's models and for the services that speak it. */
import type { ModelSource } from "../../contract/messages.ts";
import type {
  HistoryRules,
  ModelClient,
  ModelInfo,
  ProviderSettings,
  WireAdapter,
} from "../../contract/model.ts";
import { callIds } from "../shared/call-ids.ts";
import { serviceError } from "../shared/errors.ts";
import { type OptionalField, RefusedFields } from "../shared/refused-fields.ts";
import { RefusedThinking } from "../shared/refused-thinking.ts";
import { failureContext, requestError } from "../shared/request-error.ts";
import { runStream } from "../shared/stream-run.ts";
import { ResponsesAnswer } from "./decode.ts";
import { listModels } from "./list-models.ts";
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
  const refused = { fields: new RefusedFields(optional), thinking: new RefusedThinking(refusedReasoning) };
  const source = (model: ModelInfo): ModelSource => ({
    provider: settings.provider,
    wire: "openai-responses",
    model: model.id,
  });
  return {
    rules,
    source,
    stream(request, signal) {
      const own = source(request.model);
      const fail = (body: unknown) => serviceError({ body }, failureContext(settings));
      return runStream({
        provider: settings.provider,
        signal,
        reader: new ResponsesAnswer(own, callIds(request.messages), fail),
        open: () => openResponses(settings, request, own, refused, signal),
        describe: (thrown) => requestError(thrown, settings),
      });
    },
  };
}

/** The Responses API as a wire. */
export const openaiResponsesWire: WireAdapter = { wire: "openai-responses", open, listModels };
