/** The SDK, shut off from the environment: it gets every setting from us, and the network only through our fetch. */
import type OpenAI from "openai";
import type {
  ResponseCreateParamsStreaming,
  ResponseStreamEvent,
} from "openai/resources/responses/responses";
import type { ProviderSettings } from "../../contract/model.ts";
import { bearerHeaders, observe } from "../shared/exchange.ts";
import { openaiSdkOptions } from "../shared/openai-sdk.ts";
import { requireStream } from "../shared/request-error.ts";
import { type Learn, sendUntilTaken } from "../shared/send-until-taken.ts";

/** Sends the request and gives its raw events; after a refusal that `learn` understands it is encoded and sent again. */
export function openResponses(
  settings: ProviderSettings,
  encode: () => ResponseCreateParamsStreaming,
  learn: Learn,
  signal: AbortSignal,
): Promise<AsyncIterable<ResponseStreamEvent>> {
  return sendUntilTaken(settings, signal, learn, async () => {
    const body = encode();
    const { default: Sdk } = await import("openai");
    const exchange = observe(settings, { accept: "application/json", ...bearerHeaders(settings) });
    const client: OpenAI = new Sdk(openaiSdkOptions(settings, exchange));
    const send = async () => {
      const stream = await client.responses.create(body, { signal });
      await requireStream(exchange, settings);
      return stream;
    };
    return { exchange, body, send };
  });
}
