/** Ollama's own API, the only one of its two that takes a context size. */
import type { ModelSource } from "../../contract/messages.ts";
import type {
  ModelClient,
  ModelEvent,
  ModelInfo,
  ModelRequest,
  ProviderSettings,
  WireAdapter,
} from "../../contract/model.ts";
import { callIds } from "../shared/call-ids.ts";
import { RefusedFields } from "../shared/refused-fields.ts";
import { failureContext, requestError } from "../shared/request-error.ts";
import { runStream } from "../shared/stream-run.ts";
import { OllamaReader } from "./decode.ts";
import { type EncodedChat, encodeOllama } from "./encode.ts";
import { withHint } from "./errors.ts";
import { listOllamaModels } from "./models.ts";
import { type ShownModel, showModel } from "./show.ts";
import { openOllama } from "./transport.ts";
import { truncationWarning } from "./truncation.ts";

/** The Ollama wire. */
export const ollamaWire: WireAdapter = {
  wire: "ollama",
  open: (settings) => new OllamaClient(settings),
  listModels: listOllamaModels,
};

class OllamaClient implements ModelClient {
  readonly rules = {
    callId: /^[a-zA-Z0-9_-]{1,64}$/,
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
    imagesInResults: false,
  };
  readonly #settings: ProviderSettings;
  readonly #refused = new RefusedFields([{ name: "thinking" }, { name: "think", pattern: /\bthink/i }]);
  readonly #shown = new Map<string, ShownModel>();
  /** `num_ctx` by model: a smaller one later would only load the model anew. */
  readonly #contexts = new Map<string, number>();
  readonly #warned = new Set<string>();

  constructor(settings: ProviderSettings) {
    this.#settings = settings;
  }

  source(model: ModelInfo): ModelSource {
    return { provider: this.#settings.provider, wire: "ollama", model: model.id };
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const { model } = request;
    const source = this.source(model);
    const context = failureContext(this.#settings);
    let sent: EncodedChat | undefined;
    const encode = (shown: ShownModel) => {
      sent = encodeOllama(request, {
        source,
        baseUrl: this.#settings.baseUrl,
        shown,
        dropped: this.#refused.dropped,
        contextBefore: this.#contexts.get(model.id) ?? 0,
      });
      this.#contexts.set(model.id, sent.contextTokens);
      return sent.body;
    };
    return runStream({
      provider: this.#settings.provider,
      signal,
      reader: new OllamaReader(source, callIds(request.messages), context, (evaluated) =>
        this.#warnings(model, sent, evaluated),
      ),
      open: async () => {
        const shown = await this.#show(model, signal);
        return openOllama(this.#settings, () => encode(shown), this.#refused, signal);
      },
      describe: (thrown) => withHint(requestError(thrown, this.#settings), this.#settings, model.id),
    });
  }

  /** What the service knows of a model that we do not; asked once. */
  async #show(model: ModelInfo, signal: AbortSignal): Promise<ShownModel> {
    const known = model.known ? {} : this.#shown.get(model.id);
    if (known !== undefined) return known;
    const shown = await showModel(this.#settings, model.id, signal);
    if (!signal.aborted) this.#shown.set(model.id, shown);
    return shown;
  }

  /** Said once for a model: it would be true of every later request too. */
  #warnings(model: ModelInfo, sent: EncodedChat | undefined, evaluated: number): string[] {
    if (sent === undefined || this.#warned.has(model.id)) return [];
    const warning = truncationWarning(sent.messages, evaluated, sent.contextTokens);
    if (warning === undefined) return [];
    this.#warned.add(model.id);
    return [warning];
  }
}
