/** The SDK, shut off from the environment: it gets every setting from us, and the network only through our fetch. */
import type { OpenAI } from "openai";
import type { JsonObject } from "../../contract/json.ts";
import type { ProviderSettings } from "../../contract/model.ts";
import { type Exchange, observe } from "../shared/exchange.ts";
import type { RefusedFields } from "../shared/refused-fields.ts";
import { notAStream, RequestFailure, requestError } from "../shared/request-error.ts";
import { type ServerSentEvent, serverSentEvents } from "../shared/sse.ts";

/** The longest that a timer can be set to: the loop's watchdog watches, the SDK never gives up by itself. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * The SDK for one request, imported at the first one. It retries nothing, logs nothing and takes nothing from the
 * environment: what it adds to the headers is replaced by the exchange. A server without a key (a local one) gets no
 * authorization at all.
 */
export async function openSdk(settings: ProviderSettings): Promise<{ sdk: OpenAI; exchange: Exchange }> {
  const { OpenAI } = await import("openai");
  const exchange = observe(settings, settings.apiKey ? { authorization: `Bearer ${settings.apiKey}` } : {});
  const sdk = new OpenAI({
    // The SDK insists on a key; the exchange sends the real one, or none.
    apiKey: settings.apiKey || "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: settings.baseUrl,
    fetch: exchange.fetch as typeof fetch,
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: "off",
  });
  return { sdk, exchange };
}

/**
 * Sends the request and gives the events of its body, read by ourselves: the SDK's reader gives up on what compatible
 * servers send. A field that the server refuses is left out and the request sent again.
 */
export async function openChat(
  settings: ProviderSettings,
  encode: () => JsonObject,
  refused: RefusedFields,
  signal: AbortSignal,
): Promise<AsyncIterable<ServerSentEvent>> {
  for (;;) {
    const body = encode();
    const { sdk, exchange } = await openSdk(settings);
    try {
      const response = await sdk
        .post("/chat/completions", { body, signal, stream: true, timeout: NEVER_MS })
        .asResponse();
      return await eventsOf(response, exchange, settings);
    } catch (thrown) {
      const error = requestError(thrown, settings, exchange);
      if (signal.aborted || !refused.learn(error, JSON.stringify(body))) throw new RequestFailure(error);
    }
  }
}

/** A server that ignored `stream` answers with one JSON object, which is read like a single chunk. */
async function eventsOf(
  response: Response,
  exchange: Exchange,
  settings: ProviderSettings,
): Promise<AsyncIterable<ServerSentEvent>> {
  const type = response.headers.get("content-type") ?? "";
  if (/^application\/(?:[a-z.]+\+)?json/i.test(type)) {
    const data = await response.text();
    return (async function* () {
      yield { event: "message", data };
    })();
  }
  const failure = await notAStream(exchange, settings);
  if (failure) throw new RequestFailure(failure);
  return serverSentEvents(response.body ?? new Blob([]).stream());
}
