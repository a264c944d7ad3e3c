import type { ModelStop } from "../../contract/messages.ts";

/** How an answer ended by its finish reason. `failed`: the service broke down and another try may do better. */
export type Finish = Extract<ModelStop, "end" | "tool" | "length" | "filtered"> | "failed";

const finishes: Readonly<Record<string, Finish>> = {
  tool_calls: "tool",
  function_call: "tool",
  tool_use: "tool",
  length: "length",
  max_tokens: "length",
  model_length: "length", // Mistral: the context is full
  content_filter: "filtered",
  sensitive: "filtered", // z.ai
  error: "failed",
  network_error: "failed", // z.ai
  insufficient_system_resource: "failed", // DeepSeek
};

/** `stop`, `end`, `eos` and whatever nobody has seen yet are a plain end; an answer with calls that ends plainly wants them run. */
export function finishOf(reason: string, hasCalls: boolean): Finish {
  const finish = finishes[reason.toLowerCase()] ?? "end";
  if (finish === "end" || finish === "tool") return hasCalls ? "tool" : "end";
  return finish;
}
