import { linesOf, tooLong } from "./lines.ts";

/** As for one line: an event may have many. */
const LONGEST_EVENT = 64 * 1024 * 1024;

/** One server-sent event. `event` is "message" when the service named none. */
export interface ServerSentEvent {
  event: string;
  data: string;
}

/**
 * Reads server-sent events from a body: comments, ids and unknown fields are skipped, `data:` needs no space, several data
 * lines are joined by a line feed, an event without data is none, and one that the end of the body cut off before its empty line is given as it is. Throws a {@link RequestFailure} for an event that is too long to be held.
 */
export async function* serverSentEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, void> {
  let event = "message";
  let data: string[] = [];
  let length = 0;
  for await (const line of linesOf(body)) {
    if (line === "") {
      if (length > 0) yield { event, data: data.join("\n") };
      event = "message";
      data = [];
      length = 0;
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") {
      data.push(value);
      length += value.length;
      if (length > LONGEST_EVENT) throw tooLong(LONGEST_EVENT);
    } else if (field === "event") event = value;
  }
  if (length > 0) yield { event, data: data.join("\n") };
}
