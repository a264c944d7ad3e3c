import type { ProviderSettings } from "../../contract/model.ts";
import { serviceError } from "./errors.ts";
import type { Answer } from "./post.ts";
import { asObject } from "./read.ts";
import { failureContext, RequestFailure } from "./request-error.ts";
import { serverSentEvents } from "./sse.ts";
import { tornEvent } from "./torn-event.ts";

/**
 * The server-sent events of an answer whose data are JSON objects, up to `[DONE]` where a service sends that; `unroll` gives the
 * events of an answer that came whole. An object with nothing but an `error` is the service's failure in the middle of the stream.
 * Words that are no JSON (`ping`) are keep-alives. Throws a {@link RequestFailure}.
 */
export async function* jsonEvents(
  answer: Answer,
  settings: ProviderSettings,
  unroll: (whole: unknown) => readonly unknown[],
): AsyncGenerator<unknown, void, void> {
  if (answer.whole !== undefined) {
    yield* unroll(answer.whole);
    return;
  }
  for await (const { event: name, data } of serverSentEvents(answer.body)) {
    if (data.trim() === "[DONE]") return;
    const event = parse(data, settings);
    const fields = asObject(event);
    if (fields && fields["type"] === undefined && fields["error"])
      throw new RequestFailure(serviceError({ body: fields }, failureContext(settings)));
    // A gateway that names its events beside their data only.
    if (fields && fields["type"] === undefined && name !== "message") fields["type"] = name;
    if (fields) yield event;
  }
}

function parse(data: string, settings: ProviderSettings): unknown {
  try {
    return JSON.parse(data);
  } catch {
    const torn = tornEvent(data, settings.provider);
    if (torn) throw new RequestFailure(torn);
    return undefined;
  }
}
