import type { JsonObject } from "../../contract/json.ts";
import type { ModelError, ProviderSettings } from "../../contract/model.ts";
import { type Exchange, observe } from "../shared/exchange.ts";
import { linesOf } from "../shared/lines.ts";
import type { RefusedFields } from "../shared/refused-fields.ts";
import { notAStream, RequestFailure, requestError } from "../shared/request-error.ts";
import { withHint } from "./errors.ts";

/** Only the cloud asks for a key; a local service ignores it. */
export function headersOf(settings: ProviderSettings): Record<string, string> {
  return settings.apiKey ? { authorization: `Bearer ${settings.apiKey}` } : {};
}

/**
 * Sends the request and gives the lines of its answer. What the model does not take (thinking) is left out and the request
 * sent again.
 */
export async function openOllama(
  settings: ProviderSettings,
  encode: () => JsonObject,
  refused: RefusedFields,
  signal: AbortSignal,
): Promise<AsyncIterable<string>> {
  const url = `${settings.baseUrl.replace(/\/+$/, "")}/api/chat`;
  for (;;) {
    const exchange = observe(settings, headersOf(settings));
    const body = encode();
    const text = JSON.stringify(body);
    const error = await send(exchange, settings, url, text, signal);
    if (error === undefined) return linesOf(exchange.response()?.body ?? new Blob([]).stream());
    if (signal.aborted || !refused.learn(error, text))
      throw new RequestFailure(withHint(error, settings, String(body["model"])));
  }
}

async function send(
  exchange: Exchange,
  settings: ProviderSettings,
  url: string,
  body: string,
  signal: AbortSignal,
): Promise<ModelError | undefined> {
  try {
    await exchange.fetch(url, { method: "POST", body, signal });
    if (exchange.refusal() !== undefined) return requestError(undefined, settings, exchange);
    const type = exchange.response()?.headers.get("content-type") ?? "";
    // Ollama's own answers are `application/x-ndjson` or `application/json`; a web page is somebody else's.
    return /^text\/html/i.test(type) ? await notAStream(exchange, settings) : undefined;
  } catch (thrown) {
    return requestError(thrown, settings, exchange);
  }
}
