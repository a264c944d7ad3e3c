import type { RecordedRequest } from "./recorded-request.ts";

/**
 * Bytes of system text, tools and messages (in the order in which the wire's prompt cache reads them, without cache
 * marks) that two requests have in common from the beginning on.
 */
export function commonPrefix(a: RecordedRequest, b: RecordedRequest): number {
  let length = 0;
  for (const [index, part] of a.cacheParts.entries()) {
    const other = b.cacheParts[index];
    if (other === undefined) return length;
    if (other.text === part.text) {
      length += Buffer.byteLength(part.text);
      continue;
    }
    let same = 0;
    while (same < part.text.length && part.text[same] === other.text[same]) same++;
    return length + Buffer.byteLength(part.text.slice(0, same));
  }
  return length;
}

/**
 * Bytes of everything in the request that a prompt cache can hold. A later request keeps the cache warm when
 * `commonPrefix(earlier, later) === promptBytes(earlier)`.
 */
export function promptBytes(request: RecordedRequest): number {
  return request.cacheParts.reduce((sum, part) => sum + Buffer.byteLength(part.text), 0);
}
