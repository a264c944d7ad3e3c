import type { TextGuard } from "../../../contract/audit.ts";

/** Text of a server for one place of a request: hidden characters written out, no control characters, at most `most` characters. */
export function cleanText(guard: TextGuard, source: string, text: string, most: number): string {
  const plain = text.replace(/\r\n?/g, "\n").replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, "");
  const safe = guard(source, plain.toWellFormed()).trim();
  return safe.length <= most
    ? safe
    : `${safe
        .slice(0, most - 1)
        .toWellFormed()
        .replace(/\ufffd$/, "")}…`;
}
