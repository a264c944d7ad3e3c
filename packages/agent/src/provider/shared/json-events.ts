import type { ProviderSettings } from "../../contract/model.ts";
import { serviceError } from "./errors.ts";
import { bodyOf } from "./post.ts";
import { asObject } from "./read.ts";
import { failureContext, RequestFailure } from "./request-error.ts";
import { serverSentEvents } from "./sse.ts";

/**
 * The server-sent events of an answer whose data are JSON objects, up to `[DONE]` where a service sends that. An object
 * with nothing but an `error` is the service's failure in the middle of the stream. Throws a {@link RequestFailure}.
 */
export async function* jsonEvents(
  response: Response,
  settings: ProviderSettings,
): AsyncGenerator<unknown, void, void> {
  for await (const { data } of serverSentEvents(bodyOf(response))) {
    if (data.trim() === "[DONE]") return;
    const event = parse(data, settings);
    const fields = asObject(event);
    if (fields && fields["type"] === undefined && fields["error"])
      throw new RequestFailure(serviceError({ body: fields }, failureContext(settings)));
    yield event;
  }
}

function parse(data: string, settings: ProviderSettings): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw new RequestFailure({
      code: "network",
      message: `${settings.provider}: the stream holds an event that is no JSON: ${data.slice(0, 100).toWellFormed()}`,
      retryable: true,
    });
  }
}
