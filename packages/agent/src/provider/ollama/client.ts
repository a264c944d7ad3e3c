/** Ollama's own API, the only one of its two that takes a context size. */
import type {
  HistoryRules,
  ModelClient,
  ModelInfo,
  ProviderSettings,
  WireAdapter,
} from "../../contract/model.ts";
import { callIds } from "../shared/call-ids.ts";
import type { Learn } from "../shared/post.ts";
import { RefusedFields } from "../shared/refused-fields.ts";
import { failureContext, requestError } from "../shared/request-error.ts";
import { wireClient } from "../shared/wire-client.ts";
import { OllamaReader } from "./decode.ts";
import { type EncodedChat, encodeOllama } from "./encode.ts";
import { withHint } from "./errors.ts";
import { listOllamaModels } from "./models.ts";
import { type ShownModel, showModel } from "./show.ts";
import { openOllama } from "./transport.ts";
import { truncationWarning } from "./truncation.ts";

const rules: HistoryRules = {
  callId: /^[a-zA-Z0-9_-]{1,64}$/,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  imagesInResults: false,
};

function open(settings: ProviderSettings): ModelClient {
  const refused = new RefusedFields([{ name: "thinking" }, { name: "think", pattern: /\bthink/i }]);
  const show = rememberedModels(settings);
  const warnings = truncationWarnings();
  /** `num_ctx` by model: a smaller one later would only load the model anew. */
  const contexts = new Map<string, number>();

  return wireClient(settings, rules, (request, source, signal, sending) => {
    const { model } = request;
    let sent: EncodedChat | undefined;
    const encode = (shown: ShownModel) => {
      sent = encodeOllama(request, {
        source,
        baseUrl: settings.baseUrl,
        shown,
        dropped: refused.dropped,
        contextBefore: contexts.get(model.id) ?? 0,
      });
      contexts.set(model.id, sent.contextTokens);
      return sent.body;
    };
    const learn: Learn = (error, body) => refused.learn(error, body);
    return {
      reader: new OllamaReader(source, callIds(request.messages), failureContext(settings), (evaluated) =>
        warnings(model, sent, evaluated),
      ),
      open: async () => {
        const shown = await show(model, signal);
        return openOllama(sending, () => encode(shown), learn, signal);
      },
      describe: (thrown) => withHint(requestError(thrown, settings), settings, model.id),
    };
  });
}

/** What the service knows of a model that we do not; asked once. */
function rememberedModels(settings: ProviderSettings) {
  const shownBefore = new Map<string, ShownModel>();
  return async (model: ModelInfo, signal: AbortSignal): Promise<ShownModel> => {
    const before = model.known ? {} : shownBefore.get(model.id);
    if (before !== undefined) return before;
    const shown = await showModel(settings, model.id, signal);
    if (!signal.aborted) shownBefore.set(model.id, shown);
    return shown;
  };
}

/** Said once for a model: it would be true of every later request too. */
function truncationWarnings() {
  const warned = new Set<string>();
  return (model: ModelInfo, sent: EncodedChat | undefined, evaluated: number): string[] => {
    if (sent === undefined || warned.has(model.id)) return [];
    const warning = truncationWarning(sent.messages, evaluated, sent.contextTokens);
    if (warning === undefined) return [];
    warned.add(model.id);
    return [warning];
  };
}

/** The Ollama wire. */
export const ollamaWire: WireAdapter = { wire: "ollama", open, listModels: listOllamaModels };
