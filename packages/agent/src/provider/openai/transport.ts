/** The SDK, shut off from the environment: it gets every setting from us, and the network only through our fetch. */
import type OpenAI from "openai";
import type { ResponseStreamEvent } from "openai/resources/responses/responses";
import type { ModelSource } from "../../contract/messages.ts";
import type { ModelRequest, ProviderSettings } from "../../contract/model.ts";
import { type Exchange, observe } from "../shared/exchange.ts";
import type { RefusedFields } from "../shared/refused-fields.ts";
import type { RefusedThinking } from "../shared/refused-thinking.ts";
import { notAStream, RequestFailure, requestError } from "../shared/request-error.ts";
import { encodeRequest } from "./encode.ts";

/** What an endpoint was found not to take. */
export interface Refused {
  fields: RefusedFields;
  thinking: RefusedThinking;
}

/** The longest time that a timer can wait (24 days): the SDK's own limits are off. */
const NEVER_MS = 2 ** 31 - 1;

/** A client for one request; making one costs microseconds, and its fetch knows the request. */
export async function openSdk(settings: ProviderSettings): Promise<{ client: OpenAI; exchange: Exchange }> {
  const { default: Sdk } = await import("openai");
  const exchange = observe(settings, {
    accept: "application/json",
    ...(settings.apiKey && { authorization: `Bearer ${settings.apiKey}` }),
  });
  const client = new Sdk({
    // The SDK refuses to start without a key; local servers need none. Our fetch sets the real headers.
    apiKey: settings.apiKey || "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: settings.baseUrl.replace(/\/+$/, ""),
    fetch: exchange.fetch as typeof fetch,
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: "off",
  });
  return { client, exchange };
}

/** Sends the request and gives its raw events; a field that the endpoint refuses is left out and the request sent again. */
export async function openResponses(
  settings: ProviderSettings,
  request: ModelRequest,
  source: ModelSource,
  refused: Refused,
  signal: AbortSignal,
): Promise<AsyncIterable<ResponseStreamEvent>> {
  for (;;) {
    const limits = { dropped: refused.fields.dropped, thinkingFrom: refused.thinking.from };
    const body = encodeRequest(request, source, limits);
    const { client, exchange } = await openSdk(settings);
    try {
      const stream = await client.responses.create(body, { signal });
      const failure = await notAStream(exchange, settings);
      if (failure) throw new RequestFailure(failure);
      return stream;
    } catch (thrown) {
      const error = requestError(thrown, settings, exchange);
      const learned =
        refused.thinking.learn(error, request.messages.length) ||
        refused.fields.learn(error, JSON.stringify(body));
      if (signal.aborted || !learned) throw new RequestFailure(error);
    }
  }
}
