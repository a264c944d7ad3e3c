/** Google's Gemini API. */
import type { ModelSource } from "../../contract/messages.ts";
import type {
  ModelClient,
  ModelError,
  ModelInfo,
  ProviderSettings,
  WireAdapter,
} from "../../contract/model.ts";
import { withEnding } from "../shared/body-events.ts";
import { callIds } from "../shared/call-ids.ts";
import { RefusedFields } from "../shared/refused-fields.ts";
import { failureContext, requestError } from "../shared/request-error.ts";
import { runStream } from "../shared/stream-run.ts";
import { END_OF_BODY, GeminiReader } from "./decode.ts";
import { encodeGemini } from "./encode.ts";
import { listGeminiModels } from "./models.ts";
import { openGemini } from "./transport.ts";

/** The Gemini wire. */
export const geminiWire: WireAdapter = { wire: "gemini", open: openClient, listModels: listGeminiModels };

function openClient(settings: ProviderSettings): ModelClient {
  const refused = new RefusedFields([
    { name: "thinkingConfig", pattern: /thinking[ _]?(?:config|level|budget)?\b/i },
    { name: "maxOutputTokens", pattern: /max_?output_?tokens/i, limit: true },
  ]);
  // Messages before this index go without their signatures: the service did not take one of them, and the conversation must go on.
  let signaturesFrom = 0;
  const source = (model: ModelInfo): ModelSource => ({
    provider: settings.provider,
    wire: "gemini",
    model: model.id,
  });
  return {
    rules: {
      callId: /^[a-zA-Z0-9_-]{1,64}$/,
      toolName: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
      imagesInResults: true,
    },
    source,
    stream(request, signal) {
      const own = source(request.model);
      const tools = request.tools.map((tool) => tool.name);
      const reader = new GeminiReader(own, callIds(request.messages), failureContext(settings), tools);
      const encode = () => encodeGemini(request, own, refused.dropped, signaturesFrom);
      const learn = (error: ModelError, sent: string) => {
        const signatures = error.status === 400 && /thought[ _]?signature/i.test(error.message);
        if (!signatures) return refused.learn(error, sent);
        const worth = signaturesFrom < request.messages.length;
        signaturesFrom = request.messages.length;
        return worth;
      };
      return runStream({
        provider: settings.provider,
        signal,
        reader,
        open: async () =>
          withEnding(await openGemini(settings, encode, learn, signal), END_OF_BODY, () => reader.finished),
        describe: (thrown) => requestError(thrown, settings),
      });
    },
  };
}
