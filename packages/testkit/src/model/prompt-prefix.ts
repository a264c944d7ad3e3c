import type { CachePart } from "./recorded-request.ts";

/** What a prompt cache sees of a request. */
interface Prompt {
  cacheParts: readonly CachePart[];
}

/** The text that two requests have in common from the beginning on, part by part. */
export function commonText(a: Prompt, b: Prompt): string {
  let common = "";
  for (const [index, part] of a.cacheParts.entries()) {
    const other = b.cacheParts[index];
    if (other === undefined) return common;
    if (other.text === part.text) {
      common += part.text;
      continue;
    }
    let same = 0;
    while (same < part.text.length && part.text[same] === other.text[same]) same++;
    return common + part.text.slice(0, same);
  }
  return common;
}

/**
 * Bytes of system text, tools and messages (in the order in which the wire's prompt cache reads them, without cache
 * marks) that two requests have in common from the beginning on.
 */
export function commonPrefix(a: Prompt, b: Prompt): number {
  return Buffer.byteLength(commonText(a, b));
}

/**
 * Bytes of everything in the request that a prompt cache can hold. A later request keeps the cache warm when
 * `commonPrefix(earlier, later) === promptBytes(earlier)`.
 */
export function promptBytes(request: Prompt): number {
  return request.cacheParts.reduce((sum, part) => sum + Buffer.byteLength(part.text), 0);
}
