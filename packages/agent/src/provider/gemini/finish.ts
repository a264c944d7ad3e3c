import type { ModelStop } from "../../contract/messages.ts";

/** How an answer ended. `fault`: the model wrote what the service could not use, another try may do better; `history`: the request was at fault. */
export type Finish = Extract<ModelStop, "end" | "length" | "filtered"> | "fault" | "history" | "unknown";

const finishes: Readonly<Record<string, Finish>> = {
  STOP: "end",
  MAX_TOKENS: "length",
  // The answer goes on only with a continuation token, which we do not use: what is there is cut.
  CONTINUATION: "length",
  SAFETY: "filtered",
  PROHIBITED_CONTENT: "filtered",
  BLOCKLIST: "filtered",
  SPII: "filtered",
  RECITATION: "filtered",
  MODEL_ARMOR: "filtered",
  LANGUAGE: "filtered",
  IMAGE_SAFETY: "filtered",
  IMAGE_PROHIBITED_CONTENT: "filtered",
  IMAGE_RECITATION: "filtered",
  MALFORMED_FUNCTION_CALL: "fault",
  MALFORMED_RESPONSE: "fault",
  UNEXPECTED_TOOL_CALL: "fault",
  TOO_MANY_TOOL_CALLS: "fault",
  MISSING_THOUGHT_SIGNATURE: "history",
};

/** The meaning of a finish reason; reasons that nobody has seen yet are unknown. */
export function finishOf(reason: string): Finish {
  return finishes[reason] ?? "unknown";
}
