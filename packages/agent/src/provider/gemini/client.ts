/** Google's Gemini API. */
import type { HistoryRules, ModelClient, ProviderSettings, WireAdapter } from "../../contract/model.ts";
import { withEnding } from "../shared/body-events.ts";
import { callIds } from "../shared/call-ids.ts";
import { Refusals } from "../shared/refusals.ts";
import type { OptionalField } from "../shared/refused-fields.ts";
import { failureContext } from "../shared/request-error.ts";
import { wireClient } from "../shared/wire-client.ts";
import { END_OF_BODY, GeminiReader } from "./decode.ts";
import { encodeGemini } from "./encode.ts";
import { listGeminiModels } from "./models.ts";
import { openGemini } from "./transport.ts";

const rules: HistoryRules = {
  callId: /^[a-zA-Z0-9_-]{1,64}$/,
  toolName: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
  imagesInResults: true,
};

const optional: OptionalField[] = [
  { name: "thinkingConfig", pattern: /thinking[ _]?(?:config|level|budget)?\b/i },
  { name: "maxOutputTokens", pattern: /max_?output_?tokens/i, limit: true },
];

/** Refusals of a signature that was sent back. */
const refusedSignature = /thought[ _]?signature/i;

function open(settings: ProviderSettings): ModelClient {
  const refusals = new Refusals(optional, refusedSignature);
  return wireClient(settings, rules, (request, source, signal, sending) => {
    const tools = request.tools.map((tool) => tool.name);
    const reader = new GeminiReader(source, callIds(request.messages), failureContext(settings), tools);
    const encode = () => encodeGemini(request, source, refusals.limits);
    const events = () => openGemini(sending, request.model.id, encode, refusals.learner(request), signal);
    return { reader, open: async () => withEnding(await events(), END_OF_BODY, () => reader.finished) };
  });
}

/** The Gemini wire. */
export const geminiWire: WireAdapter = { wire: "gemini", open, listModels: listGeminiModels };
