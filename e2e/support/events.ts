/** Reads JSON mode's stdout as strictly as a program on the other end of the pipe. */

export interface PiEvent {
  type: string;
  session_id: string;
  [field: string]: unknown;
}

/**
 * Every line of stdout as an event. Throws for a line that is no JSON object with `type` and `session_id`, for a missing last
 * newline, and unless there is exactly one `message_start` at the beginning and one `message_end` at the end.
 */
export function eventsOf(result: { stdout: string; stderr: string }): PiEvent[] {
  const lines = result.stdout.split("\n");
  if (lines.pop() !== "") throw new Error(`stdout does not end with a newline: ${tail(result.stdout)}`);
  const events = lines.map(parse);
  const count = (type: string) => events.filter((event) => event.type === type).length;
  if (
    events[0]?.type !== "message_start" ||
    events.at(-1)?.type !== "message_end" ||
    count("message_start") !== 1 ||
    count("message_end") !== 1
  )
    throw new Error(
      `not one message_start … message_end: ${events.map((event) => event.type).join(" ")}\n${result.stderr}`,
    );
  return events;
}

/** The events of one type. */
export function ofType(events: readonly PiEvent[], type: string): PiEvent[] {
  return events.filter((event) => event.type === type);
}

/** The last event, `message_end`. */
export function endOf(events: readonly PiEvent[]): PiEvent {
  return events.at(-1)!;
}

/** The types in order, with runs of one type (deltas, progress) told once. */
export function shapeOf(events: readonly PiEvent[]): string[] {
  return events.map((event) => event.type).filter((type, index, all) => type !== all[index - 1]);
}

function parse(line: string): PiEvent {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new Error(`a line of stdout is no JSON (${String(error)}): ${line.slice(0, 500)}`);
  }
  const event = value as PiEvent;
  if (typeof event?.type !== "string" || typeof event.session_id !== "string")
    throw new Error(`a line of stdout is no event: ${line.slice(0, 500)}`);
  return event;
}

function tail(text: string): string {
  return JSON.stringify(text.slice(-500));
}
