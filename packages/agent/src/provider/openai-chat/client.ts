/** OpenAI's Chat Completions, the protocol that all compatible servers speak. */
import type { HistoryRules, ModelClient, ProviderSettings, WireAdapter } from "../../contract/model.ts";
import { withEnding } from "../shared/body-events.ts";
import { callIds } from "../shared/call-ids.ts";
import { listOpenaiModels } from "../shared/openai-models.ts";
import type { Learn } from "../shared/post.ts";
import { RefusedFields } from "../shared/refused-fields.ts";
import { failureContext } from "../shared/request-error.ts";
import { wireClient } from "../shared/wire-client.ts";
import { ChatReader, END_OF_BODY } from "./decode.ts";
import { dialectOf } from "./dialect.ts";
import { encodeChat } from "./encode.ts";
import { optionalFields } from "./optional-fields.ts";
import { openChat } from "./transport.ts";

const rules: HistoryRules = {
  callId: /^[a-zA-Z0-9_-]{1,40}$/,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  imagesInResults: false,
};

function open(settings: ProviderSettings): ModelClient {
  const dialect = dialectOf(settings.baseUrl);
  const refused = new RefusedFields(optionalFields(dialect));
  return wireClient(settings, rules, (request, source, signal, sending) => {
    const reader = new ChatReader(source, callIds(request.messages), failureContext(settings));
    const encode = () => encodeChat(request, source, dialect, refused.dropped);
    const learn: Learn = (error, sent) => refused.learn(error, sent);
    return {
      reader,
      open: async () =>
        withEnding(await openChat(sending, encode, learn, signal), END_OF_BODY, () => reader.finished),
    };
  });
}

/** The Chat Completions wire. */
export const openaiChatWire: WireAdapter = { wire: "openai-chat", open, listModels: listOpenaiModels };
