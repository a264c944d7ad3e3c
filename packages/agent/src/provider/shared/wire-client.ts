import type { ModelSource } from "../../contract/messages.ts";
import type {
  HistoryRules,
  ModelClient,
  ModelError,
  ModelInfo,
  ModelRequest,
  ProviderSettings,
} from "../../contract/model.ts";
import { requestError } from "./request-error.ts";
import { type AnswerReader, runStream } from "./stream-run.ts";
import { throughDoor } from "./through-door.ts";

/** One request of a wire: how it is sent, and who reads its answer. */
export interface WireAnswer<Event> {
  reader: AnswerReader<Event>;
  open: () => Promise<AsyncIterable<Event>>;
  /** What a thrown value means; by default {@link requestError}. */
  describe?: (thrown: unknown) => ModelError;
}

/** The client of a wire. `answer` is called once a request, with where its answer will come from and the settings to send it with. */
export function wireClient<Event>(
  settings: ProviderSettings,
  rules: HistoryRules,
  answer: (
    request: ModelRequest,
    source: ModelSource,
    signal: AbortSignal,
    sending: ProviderSettings,
  ) => WireAnswer<Event>,
): ModelClient {
  const source = (model: ModelInfo): ModelSource => ({
    provider: settings.provider,
    wire: settings.wire,
    model: model.id,
  });
  return {
    rules,
    source,
    stream: (request, signal) =>
      runStream({
        provider: settings.provider,
        signal,
        describe: (thrown) => requestError(thrown, settings),
        ...answer(request, source(request.model), signal, throughDoor(settings, request.door)),
      }),
  };
}
