/** The SDK, shut off from the environment: it gets every setting from us, and the network only through our fetch. */
import type { GenerateContentParameters } from "@google/genai/web";
import type { ProviderSettings } from "../../contract/model.ts";
import { observe } from "../shared/exchange.ts";
import { requireStream } from "../shared/request-error.ts";
import { type Learn, sendUntilTaken } from "../shared/send-until-taken.ts";
import { type ServerSentEvent, serverSentEvents } from "../shared/sse.ts";

/** The version that knows preview features; the SDK's own default is `v1`. */
export const API_VERSION = "v1beta";

/** People give the address with and without the version. */
export function baseUrlOf(settings: ProviderSettings): string {
  return settings.baseUrl.replace(/\/+$/, "").replace(/\/v1(?:beta|alpha)?$/, "");
}

/** The key goes in a header, never in the address. */
export function headersOf(settings: ProviderSettings): Record<string, string> {
  return settings.apiKey ? { "x-goog-api-key": settings.apiKey } : {};
}

/**
 * Sends the request and gives the events of its body, read by ourselves: the SDK's reader drops events that follow a
 * comment, leaves the socket open when it is left early, and loses the headers of errors. After a refusal that `learn`
 * understands the request is encoded and sent again.
 */
export function openGemini(
  settings: ProviderSettings,
  encode: () => GenerateContentParameters,
  learn: Learn,
  signal: AbortSignal,
): Promise<AsyncIterable<ServerSentEvent>> {
  return sendUntilTaken(settings, signal, learn, async () => {
    // The browser's entry: a quarter of the weight, and no look at the environment.
    const { GoogleGenAI } = await import("@google/genai/web");
    const exchange = observe(settings, headersOf(settings), { keepBody: true });
    const sdk = new GoogleGenAI({
      // The SDK insists on a key; the exchange sends the real one, or none.
      apiKey: settings.apiKey || "none",
      apiVersion: API_VERSION,
      vertexai: false,
      httpOptions: { baseUrl: baseUrlOf(settings), fetch: exchange.fetch as typeof fetch },
    });
    const body = encode();
    const send = async () => {
      await sdk.models.generateContentStream({ ...body, config: { ...body.config, abortSignal: signal } });
      await requireStream(exchange, settings);
      return serverSentEvents(exchange.response()?.body ?? new Blob([]).stream());
    };
    return { exchange, body, send };
  });
}
