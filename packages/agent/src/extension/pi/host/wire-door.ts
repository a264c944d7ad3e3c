/** A request as its service gets it, shown to `before_provider_request` and `before_provider_headers`, and its answer's head to `after_provider_response`. */
import { errorMessage } from "../../../contract/errors.ts";
import { isJsonObject } from "../../../contract/json.ts";
import type { WireDoor } from "../../../contract/model.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Faults } from "./faults.ts";
import type { LoadedExtension } from "./loaded-extension.ts";
import { asJson } from "./pi-message.ts";

type Named = Readonly<Record<string, string>>;

/** Undefined while nobody listens: a request is then sent without being looked at. */
export function wireDoor(dispatcher: Dispatcher, faults: Faults, signal: AbortSignal): WireDoor | undefined {
  const door: WireDoor = {
    ...(dispatcher.has("before_provider_request") && {
      payload: (payload: unknown) => changedPayload(dispatcher, faults, payload, signal),
    }),
    ...(dispatcher.has("before_provider_headers") && {
      headers: (headers: Named) => changedHeaders(dispatcher, faults, headers, signal),
    }),
    ...(dispatcher.has("after_provider_response") && {
      answered: (status: number, headers: Named) =>
        dispatcher.dispatch({ type: "after_provider_response", status, headers: { ...headers } }, { signal }),
    }),
  };
  return Object.keys(door).length === 0 ? undefined : door;
}

async function changedPayload(
  dispatcher: Dispatcher,
  faults: Faults,
  payload: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const event = { type: "before_provider_request", payload };
  let kept = asJson(payload);
  /** What a handler left, if it can be sent. */
  const keep = (extension: LoadedExtension) => {
    const json = asJson(event.payload);
    if (!isJsonObject(json))
      faults.note(
        extension,
        event.type,
        "made a request that is no JSON object; it is sent without that change",
      );
    else kept = json;
    event.payload = structuredClone(kept);
  };
  await dispatcher.dispatch(event, {
    signal,
    take(value, extension) {
      if (value !== undefined) event.payload = value;
      keep(extension);
      return undefined;
    },
    // What it changed before it failed is not meant to be sent.
    failed() {
      event.payload = structuredClone(kept);
      return undefined;
    },
  });
  return kept;
}

async function changedHeaders(
  dispatcher: Dispatcher,
  faults: Faults,
  headers: Named,
  signal: AbortSignal,
): Promise<Named> {
  const event = { type: "before_provider_headers", headers: { ...headers } as Record<string, unknown> };
  let kept = headers;
  await dispatcher.dispatch(event, {
    signal,
    take(_, extension) {
      try {
        kept = sendable(event.headers);
      } catch (thrown) {
        const words = `wants headers that cannot be sent (${errorMessage(thrown)}); they are sent as they were`;
        faults.note(extension, event.type, words);
      }
      event.headers = { ...kept };
      return undefined;
    },
    failed() {
      event.headers = { ...kept };
      return undefined;
    },
  });
  return kept;
}

/** Without those that were set to null. Throws for a name or a value that no request can have. */
function sendable(headers: Readonly<Record<string, unknown>>): Named {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value !== null) all.set(name, String(value ?? ""));
  return Object.fromEntries(all);
}
