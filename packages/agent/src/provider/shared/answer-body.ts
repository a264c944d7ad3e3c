/** What the body of an answer is, by how it begins: gateways name content types as they like. */
import { boundedText } from "../../platform/bounded-text.ts";

/** A stream of events, one whole JSON value instead of it, or a page for people. */
type AnswerBody =
  | { kind: "stream"; body: AsyncIterable<Uint8Array> }
  | { kind: "json" | "page"; text: string };

/** No answer that is not streamed comes near; the rest is not read. */
const MOST_WHOLE_BYTES = 64 * 1024 * 1024;

/**
 * Looks at the first character of a body. `jsonLines`: a JSON object is the first line of a stream. A body of white space only is an
 * empty stream. Throws what the connection throws.
 */
export async function answerBody(response: Response, jsonLines: boolean): Promise<AnswerBody> {
  if (response.body === null) return { kind: "stream", body: chunks([]) };
  const iterator = response.body[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  for (;;) {
    const next = await iterator.next();
    if (next.done) return { kind: "stream", body: chunks(head) };
    head.push(next.value);
    const first = (next.value as Uint8Array).find((byte) => byte > 0x20 && !BYTE_ORDER_MARK.includes(byte));
    if (first === undefined) continue;
    const body = chunks(head, iterator);
    const kind = first === OPEN_TAG ? "page" : !jsonLines && OPEN_JSON.includes(first) ? "json" : "stream";
    return kind === "stream" ? { kind, body } : { kind, text: await boundedText(body, MOST_WHOLE_BYTES) };
  }
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const OPEN_TAG = 0x3c;
const OPEN_JSON = [0x7b, 0x5b];

async function* chunks(
  head: readonly Uint8Array[],
  rest?: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* head;
    if (rest === undefined) return;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    // Not awaited: closing waits for a read that may hang. What it throws has no reader any more.
    rest?.return?.().catch(() => undefined);
  }
}
