import type { JsonObject } from "../../contract/json.ts";
import type { ProviderSettings } from "../../contract/model.ts";
import { bearerHeaders, observe } from "../shared/exchange.ts";
import { linesOf } from "../shared/lines.ts";
import { RequestFailure, requestError, requireStream } from "../shared/request-error.ts";
import { type Learn, sendUntilTaken } from "../shared/send-until-taken.ts";

/** Sends the request and gives the lines of its answer. What the model does not take (thinking) is left out and the request sent again. */
export function openOllama(
  settings: ProviderSettings,
  encode: () => JsonObject,
  learn: Learn,
  signal: AbortSignal,
): Promise<AsyncIterable<string>> {
  const url = `${settings.baseUrl.replace(/\/+$/, "")}/api/chat`;
  return sendUntilTaken(settings, signal, learn, async () => {
    const exchange = observe(settings, bearerHeaders(settings));
    const body = encode();
    const send = async () => {
      await exchange.fetch(url, { method: "POST", body: JSON.stringify(body), signal });
      if (exchange.refusal() !== undefined)
        throw new RequestFailure(requestError(undefined, settings, exchange));
      const type = exchange.response()?.headers.get("content-type") ?? "";
      // Ollama's own answers are `application/x-ndjson` or `application/json`; a web page is somebody else's.
      if (/^text\/html/i.test(type)) await requireStream(exchange, settings);
      return linesOf(exchange.response()?.body ?? new Blob([]).stream());
    };
    return { exchange, body, send };
  });
}
