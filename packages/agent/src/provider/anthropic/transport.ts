/** The SDK, shut off from the environment: it gets every setting from us, and the network only through our fetch. */
import type Anthropic from "@anthropic-ai/sdk";
import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import type { ProviderSettings } from "../../contract/model.ts";
import { type Exchange, observe } from "../shared/exchange.ts";
import { NEVER_MS } from "../shared/never.ts";
import { requireStream } from "../shared/request-error.ts";
import { type Learn, sendUntilTaken } from "../shared/send-until-taken.ts";
import type { EncodedRequest } from "./encode.ts";

/**
 * The version that every gateway knows. The newer one (2026-10-21) only forbids things that we never send.
 * The key goes as `x-api-key`, which all of them read; the SDK's own bearer header is not known to all.
 */
export function headersOf(settings: ProviderSettings, betas: readonly string[] = []): Record<string, string> {
  return {
    accept: "application/json",
    "anthropic-version": "2023-06-01",
    ...(settings.apiKey && { "x-api-key": settings.apiKey }),
    ...(betas.length > 0 && { "anthropic-beta": betas.join(",") }),
  };
}

/** People give the address with and without the version. */
export function baseUrlOf(settings: ProviderSettings): string {
  return settings.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
}

/** A client for one request; making one costs microseconds, and its fetch knows the request. */
async function openSdk(
  settings: ProviderSettings,
  betas: readonly string[],
): Promise<{ client: Anthropic; exchange: Exchange }> {
  const { default: Sdk } = await import("@anthropic-ai/sdk");
  const exchange = observe(settings, headersOf(settings, betas));
  const client = new Sdk({
    // A key that is given, even an empty one, keeps the SDK from looking for others; our fetch sets the real headers.
    apiKey: settings.apiKey ?? "",
    authToken: null,
    webhookKey: null,
    baseURL: baseUrlOf(settings),
    fetch: exchange.fetch as typeof fetch,
    defaultHeaders: { authorization: null },
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: "off",
    openTelemetry: false,
  });
  return { client, exchange };
}

/** Sends the request and gives its raw events; from a refusal that `learn` understands it is encoded and sent again. */
export function openMessages(
  settings: ProviderSettings,
  encode: () => EncodedRequest,
  learn: Learn,
  signal: AbortSignal,
): Promise<AsyncIterable<RawMessageStreamEvent>> {
  return sendUntilTaken(settings, signal, learn, async () => {
    const { body, betas } = encode();
    const { client, exchange } = await openSdk(settings, betas);
    const send = async () => {
      // `post` and not `messages.create`: that one prints warnings about old models on the terminal.
      const stream = await client.post<AsyncIterable<RawMessageStreamEvent>>("/v1/messages", {
        body,
        stream: true,
        signal,
        timeout: NEVER_MS,
      });
      await requireStream(exchange, settings);
      return stream;
    };
    return { exchange, body, send };
  });
}
