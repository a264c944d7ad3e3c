import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import type { Clock } from "../../contract/services.ts";

/** What an answer may still take when the editor has closed its side. */
const MOST_MS = 5_000;
/** Its answer takes as long as the work does, which ends with the editor. */
const PROMPT = "session/prompt";

/**
 * Lets what was asked be answered before the end of the editor's messages is passed on: a script that writes its requests and closes the
 * pipe reads all answers. A prompt is not waited for.
 */
export function answersBeforeEnd({ readable, writable }: Stream, clock: Clock): Stream {
  const open = new Set<unknown>();
  const drained = Promise.withResolvers<void>();
  let ended = false;
  const settle = () => {
    if (ended && open.size === 0) drained.resolve();
  };
  const asked = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, passed) {
      if ("method" in message && "id" in message && message.method !== PROMPT) open.add(message.id);
      passed.enqueue(message);
    },
    async flush() {
      ended = true;
      settle();
      const over = new AbortController();
      await Promise.race([drained.promise, clock.sleep(MOST_MS, over.signal)]);
      over.abort();
    },
  });
  const writer = writable.getWriter();
  const answered = new WritableStream<AnyMessage>({
    async write(message) {
      try {
        await writer.write(message);
      } finally {
        if ("id" in message && !("method" in message)) open.delete(message.id);
        settle();
      }
    },
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
  return { readable: readable.pipeThrough(asked), writable: answered };
}
