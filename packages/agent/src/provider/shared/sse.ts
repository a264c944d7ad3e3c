import { linesOf } from "./lines.ts";

/** One server-sent event. `event` is "message" when the service named none. */
export interface ServerSentEvent {
  event: string;
  data: string;
}

/**
 * Reads server-sent events from a body: comments, ids and unknown fields are skipped, `data:` needs no space, several data
 * lines are joined by a line feed, and an event that the end of the body cut off before its empty line is given as it is.
 */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, void> {
  let event = "message";
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line === "") {
      if (data.length > 0) yield { event, data: data.join("\n") };
      event = "message";
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") data.push(value);
    else if (field === "event") event = value;
  }
  if (data.length > 0) yield { event, data: data.join("\n") };
}
