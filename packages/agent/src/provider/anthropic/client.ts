/** Anthropic's Messages API, for Claude and for the services that speak it. */
import type { HistoryRules, ModelClient, ProviderSettings, WireAdapter } from "../../contract/model.ts";
import { withEnding } from "../shared/body-events.ts";
import { callIds } from "../shared/call-ids.ts";
import { Refusals } from "../shared/refusals.ts";
import type { OptionalField } from "../shared/refused-fields.ts";
import { failureContext } from "../shared/request-error.ts";
import { wireClient } from "../shared/wire-client.ts";
import { END_OF_BODY, MessagesReader } from "./decode.ts";
import { encodeRequest } from "./encode.ts";
import { listModels } from "./list-models.ts";
import { bindsThinking } from "./thinking.ts";
import { openMessages } from "./transport.ts";

const rules: HistoryRules = {
  callId: /^[a-zA-Z0-9_-]{1,64}$/,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  imagesInResults: true,
  bindsThinking,
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
  const refusals = new Refusals(optional, refusedThinking);
  return wireClient(settings, rules, (request, source, signal, sending) => {
    const reader = new MessagesReader(source, callIds(request.messages), failureContext(settings));
    const encode = () => encodeRequest(request, source, refusals.limits);
    return {
      reader,
      open: async () =>
        withEnding(
          await openMessages(sending, encode, refusals.learner(request), signal),
          END_OF_BODY,
          () => reader.finished,
        ),
    };
  });
}

/** The Messages API as a wire. */
export const anthropicWire: WireAdapter = { wire: "anthropic", open, listModels };
