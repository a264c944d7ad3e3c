import { LineSplitter, tooLong } from "./lines.ts";

/** As for one line: an event may have many. */
const LONGEST_EVENT = 64 * 1024 * 1024;

/** One server-sent event. `event` is "message" when the service named none. */
export interface ServerSentEvent {
  event: string;
  data: string;
}

/** Puts lines together to events, one at a time. */
class EventLines {
  #event = "message";
  #data: string[] = [];
  #length = 0;

  /** The event that this line ends. Throws a {@link RequestFailure} for one that is too long to be held. */
  take(line: string): ServerSentEvent | undefined {
    if (line === "") return this.end();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") {
      this.#data.push(value);
      this.#length += value.length;
      if (this.#length > LONGEST_EVENT) throw tooLong(LONGEST_EVENT);
    } else if (field === "event") this.#event = value;
    return undefined;
  }

  end(): ServerSentEvent | undefined {
    const ended = this.#length > 0 ? { event: this.#event, data: this.#data.join("\n") } : undefined;
    this.#event = "message";
    this.#data = [];
    this.#length = 0;
    return ended;
  }
}

/**
 * Reads server-sent events from a body: comments, ids and unknown fields are skipped, `data:` needs no space, several data
 * lines are joined by a line feed, an event without data is none, and one that the end of the body cut off before its empty line is given as it is. Throws a {@link RequestFailure} for an event that is too long to be held.
 */
export async function* serverSentEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, void> {
  const splitter = new LineSplitter();
  const events = new EventLines();
  // Without an iterator of lines between: a hop of an asynchronous generator costs more than a line.
  for await (const bytes of body)
    for (const line of splitter.lines(bytes)) {
      const event = events.take(line);
      if (event !== undefined) yield event;
    }
  for (const line of splitter.rest()) {
    const event = events.take(line);
    if (event !== undefined) yield event;
  }
  const last = events.end();
  if (last !== undefined) yield last;
}
