/** OpenAI's Chat Completions, the protocol that all compatible servers speak. */
import type { ModelClient, ModelInfo, ProviderSettings, WireAdapter } from "../../contract/model.ts";
import { withEnding } from "../shared/body-events.ts";
import { callIds } from "../shared/call-ids.ts";
import { RefusedFields } from "../shared/refused-fields.ts";
import { failureContext, requestError } from "../shared/request-error.ts";
import { runStream } from "../shared/stream-run.ts";
import { ChatReader, END_OF_BODY } from "./decode.ts";
import { dialectOf } from "./dialect.ts";
import { encodeChat } from "./encode.ts";
import { listChatModels } from "./models.ts";
import { optionalFields } from "./optional-fields.ts";
import { openChat } from "./transport.ts";

/** The Chat Completions wire. */
export const openaiChatWire: WireAdapter = {
  wire: "openai-chat",
  open: (settings) => openClient(settings),
  listModels: listChatModels,
};

function openClient(settings: ProviderSettings): ModelClient {
  const dialect = dialectOf(settings.baseUrl);
  const refused = new RefusedFields(optionalFields(dialect));
  const source = (model: ModelInfo) => ({
    provider: settings.provider,
    wire: "openai-chat" as const,
    model: model.id,
  });
  return {
    rules: {
      callId: /^[a-zA-Z0-9_-]{1,40}$/,
      toolName: /^[a-zA-Z0-9_-]{1,64}$/,
      imagesInResults: false,
    },
    source,
    stream(request, signal) {
      const own = source(request.model);
      const reader = new ChatReader(own, callIds(request.messages), failureContext(settings));
      const encode = () => encodeChat(request, own, dialect, refused.dropped);
      return runStream({
        provider: settings.provider,
        signal,
        reader,
        open: async () =>
          withEnding(await openChat(settings, encode, refused, signal), END_OF_BODY, () => reader.finished),
        describe: (thrown) => requestError(thrown, settings),
      });
    },
  };
}
