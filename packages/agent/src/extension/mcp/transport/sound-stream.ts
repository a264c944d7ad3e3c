import { readMessages } from "./read-messages.ts";

/**
 * A stream of events in which every message is one of the protocol. Events of other names pass as they are. An event without the empty
 * line after it counts when the stream ends there and it is a whole message. `onEnd`: the stream is over, in whatever way.
 */
export function soundStream(
  body: ReadableStream<Uint8Array>,
  onEnd: () => void = () => undefined,
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let pieces: string[] = [];
  let event: string[] = [];

  function read(text: string, take: (text: string) => void): void {
    pieces.push(text);
    if (!/[\r\n]/.test(text) && !pieces[0]?.endsWith("\r")) return;
    const all = pieces.join("");
    // What follows a CR at the end may be its LF.
    const lines = all.split(/\r\n|\n|\r(?!$)/);
    pieces = [lines.pop()!];
    for (const line of lines) {
      if (line !== "") event.push(line);
      else if (event.length > 0) {
        take(sound(event).text);
        event = [];
      }
    }
  }

  const sounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      read(decoder.decode(chunk, { stream: true }), (text) => controller.enqueue(encoder.encode(text)));
    },
    flush(controller) {
      const last = pieces.join("").replace(/\r$/, "");
      if (last !== "") event.push(last);
      const { text, whole } = sound(event);
      if (whole) controller.enqueue(encoder.encode(text));
    },
  });
  void body.pipeTo(sounded.writable).then(onEnd, onEnd);
  return sounded.readable;
}

/** An event with messages of the protocol only. `whole`: it has one, and nothing was wrong with it. */
function sound(lines: readonly string[]): { text: string; whole: boolean } {
  const as = (written: readonly string[]) => `${written.join("\n")}\n\n`;
  const values = (field: string) =>
    lines
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).trimStart());
  const data = values("data").join("\n");
  if (data === "" || ![undefined, "", "message"].includes(values("event").at(-1)))
    return { text: as(lines), whole: false };
  const { messages, faulty } = readMessages(data);
  if (!faulty && !data.startsWith("[")) return { text: as(lines), whole: true };
  const others = lines.filter((line) => !line.startsWith("data:"));
  if (messages.length === 0) return { text: as(others), whole: false };
  const written = messages.map((message) => as([...others, `data: ${JSON.stringify(message)}`]));
  return { text: written.join(""), whole: false };
}
