/** Anthropic's Messages API, for Claude and for the services that speak it. */
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
import { MessagesAnswer } from "./decode.ts";
import { listModels } from "./list-models.ts";
import { openMessages } from "./transport.ts";

const rules: HistoryRules = {
  callId: /^[a-zA-Z0-9_-]{1,64}$/,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  imagesInResults: true,
};

/** Fields that gateways were seen to refuse, from the least to the most telling. */
const optional: OptionalField[] = [
  { name: "display" },
  { name: "output_config", pattern: /output_config|\beffort\b/ },
  { name: "cache_control" },
  { name: "thinking" },
];

/** Refusals of thinking that was sent back: a signature, or a block that belongs to another conversation. */
const refusedThinking =
  /bound to a different conversation|blocks? in the latest assistant message cannot be modified|invalid.{0,20}signature/i;

function open(settings: ProviderSettings): ModelClient {
  const refused = { fields: new RefusedFields(optional), thinking: new RefusedThinking(refusedThinking) };
  const source = (model: ModelInfo): ModelSource => ({
    provider: settings.provider,
    wire: "anthropic",
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
        reader: new MessagesAnswer(own, callIds(request.messages), fail),
        open: () => openMessages(settings, request, own, refused, signal),
        describe: (thrown) => requestError(thrown, settings),
      });
    },
  };
}

/** The Messages API as a wire. */
export const anthropicWire: WireAdapter = { wire: "anthropic", open, listModels };
