/** The SDK, shut off from the environment: it gets every setting from us, and the network only through our fetch. */
import type { JsonObject } from "../../contract/json.ts";
import type { ProviderSettings } from "../../contract/model.ts";
import { bearerHeaders, type Exchange, observe } from "../shared/exchange.ts";
import { NEVER_MS } from "../shared/never.ts";
import { openaiSdkOptions } from "../shared/openai-sdk.ts";
import { requireStream } from "../shared/request-error.ts";
import { type Learn, sendUntilTaken } from "../shared/send-until-taken.ts";
import { type ServerSentEvent, serverSentEvents } from "../shared/sse.ts";

/**
 * Sends the request and gives the events of its body, read by ourselves: the SDK's reader gives up on what compatible
 * servers send. After a refusal that `learn` understands the request is encoded and sent again.
 */
export function openChat(
  settings: ProviderSettings,
  encode: () => JsonObject,
  learn: Learn,
  signal: AbortSignal,
): Promise<AsyncIterable<ServerSentEvent>> {
  return sendUntilTaken(settings, signal, learn, async () => {
    const body = encode();
    const { default: Sdk } = await import("openai");
    const exchange = observe(settings, bearerHeaders(settings));
    const client = new Sdk(openaiSdkOptions(settings, exchange));
    const send = async () => {
      const options = { body, signal, stream: true, timeout: NEVER_MS };
      const response = await client.post("/chat/completions", options).asResponse();
      return await eventsOf(response, exchange, settings);
    };
    return { exchange, body, send };
  });
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
  await requireStream(exchange, settings);
  return serverSentEvents(response.body ?? new Blob([]).stream());
}
