/** The answer of a gateway that ignores `stream`: one message instead of its events. */
import { asList, asObject } from "../shared/read.ts";

/** True for a message of the Messages API. */
export function isWhole(value: unknown): boolean {
  const message = asObject(value);
  return message?.["type"] === "message" && Array.isArray(message["content"]);
}

/** The events that would have built it. */
export function unroll(whole: unknown): unknown[] {
  const message = asObject(whole) ?? {};
  const { stop_reason, stop_details, usage } = message;
  return [
    { type: "message_start", message: { ...message, content: [] } },
    ...asList(message["content"]).flatMap((block, index) => [
      { type: "content_block_start", index, content_block: block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_details }, usage },
    { type: "message_stop" },
  ];
}
