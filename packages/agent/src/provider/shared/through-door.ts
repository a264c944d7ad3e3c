import type { FetchLike, ProviderSettings, WireDoor } from "../../contract/model.ts";

/** The same settings with requests that pass a door on their way; they themselves when there is none. */
export function throughDoor(settings: ProviderSettings, door: WireDoor | undefined): ProviderSettings {
  return door === undefined ? settings : { ...settings, fetch: watchedFetch(settings.fetch, door) };
}

function watchedFetch(fetch: FetchLike, door: WireDoor): FetchLike {
  return async (input, init = {}) => {
    const changed: RequestInit = { ...init };
    if (door.payload !== undefined && typeof init.body === "string")
      changed.body = JSON.stringify(await door.payload(JSON.parse(init.body)));
    if (door.headers !== undefined)
      changed.headers = { ...(await door.headers(Object.fromEntries(new Headers(init.headers)))) };
    const response = await fetch(input, changed);
    await door.answered?.(response.status, Object.fromEntries(response.headers));
    return response;
  };
}
