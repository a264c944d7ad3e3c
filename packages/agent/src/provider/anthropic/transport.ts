/** The SDK, shut off from the environment: it gets every setting from us, and the network only through our fetch. */
import type Anthropic from "@anthropic-ai/sdk";
import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import type { ModelSource } from "../../contract/messages.ts";
import type { ModelRequest, ProviderSettings } from "../../contract/model.ts";
import { type Exchange, observe } from "../shared/exchange.ts";
import type { RefusedFields } from "../shared/refused-fields.ts";
import type { RefusedThinking } from "../shared/refused-thinking.ts";
import { notAStream, RequestFailure, requestError } from "../shared/request-error.ts";
import { encodeRequest } from "./encode.ts";

/**
 * The version that every gateway knows. The newer one (2026-10-21) only forbids things that we never send.
 * The key goes as `x-api-key`, which all of them read; the SDK's own bearer header is not known to all.
 */
function headersOf(settings: ProviderSettings, betas: readonly string[]): Record<string, string> {
  return {
    accept: "application/json",
    "anthropic-version": "2023-06-01",
    ...(settings.apiKey && { "x-api-key": settings.apiKey }),
    ...(betas.length > 0 && { "anthropic-beta": betas.join(",") }),
  };
}

/** What an endpoint was found not to take. */
export interface Refused {
  fields: RefusedFields;
  thinking: RefusedThinking;
}

/** The longest time that a timer can wait (24 days): the SDK's own limits are off. */
const NEVER_MS = 2 ** 31 - 1;

/** A client for one request; making one costs microseconds, and its fetch knows the request. */
export async function openSdk(
  settings: ProviderSettings,
  betas: readonly string[] = [],
): Promise<{ client: Anthropic; exchange: Exchange }> {
  const { default: Sdk } = await import("@anthropic-ai/sdk");
  const exchange = observe(settings, headersOf(settings, betas));
  const client = new Sdk({
    // A key that is given, even an empty one, keeps the SDK from looking for others; our fetch sets the real headers.
    apiKey: settings.apiKey ?? "",
    authToken: null,
    webhookKey: null,
    // People give the address with and without the version.
    baseURL: settings.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, ""),
    fetch: exchange.fetch as typeof fetch,
    defaultHeaders: { authorization: null },
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: "off",
    openTelemetry: false,
  });
  return { client, exchange };
}

/** Sends the request and gives its raw events; a field that the endpoint refuses is left out and the request sent again. */
export async function openMessages(
  settings: ProviderSettings,
  request: ModelRequest,
  source: ModelSource,
  refused: Refused,
  signal: AbortSignal,
): Promise<AsyncIterable<RawMessageStreamEvent>> {
  for (;;) {
    const limits = { dropped: refused.fields.dropped, thinkingFrom: refused.thinking.from };
    const { body, betas } = encodeRequest(request, source, limits);
    const { client, exchange } = await openSdk(settings, betas);
    try {
      // `post` and not `messages.create`: that one prints warnings about old models on the terminal.
      const stream = await client.post<AsyncIterable<RawMessageStreamEvent>>("/v1/messages", {
        body,
        stream: true,
        signal,
        timeout: NEVER_MS,
      });
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
