/**
 * The address of a path below a base URL. A query of the base (`?api-version=…`, which some gateways want) stays behind the path; a
 * fragment goes. `version` is taken off the base's path first: people give the address with and without it.
 */
export function endpoint(baseUrl: string, path: string, version?: RegExp): string {
  const { place, query } = splitAddress(baseUrl);
  const base = version === undefined ? place : place.replace(version, "");
  return `${base}${path}${query === "" ? "" : `${path.includes("?") ? "&" : "?"}${query}`}`;
}

/** An address without spaces around it, slashes at its path's end and a fragment, and the query apart (without `?`). */
export function splitAddress(address: string): { place: string; query: string } {
  const [, place = "", query = ""] = /^([^?#]*)(?:\?([^#]*))?/.exec(address.trim()) ?? [];
  return { place: place.replace(/\/+$/, ""), query };
}
