/** Runs on real wires, before a scripted model service that refuses what the real services refuse. */
import type { ModelServer, Wire } from "@pi-ts/testkit";
import type { AgentEvent } from "../../contract/events.ts";
import type { Message, ToolResultPart } from "../../contract/messages.ts";
import type { WireAdapter } from "../../contract/model.ts";
import { anthropicWire } from "../../provider/anthropic/client.ts";
import { geminiWire } from "../../provider/gemini/client.ts";
import { ollamaWire } from "../../provider/ollama/client.ts";
import { openaiResponsesWire } from "../../provider/openai/client.ts";
import { openaiChatWire } from "../../provider/openai-chat/client.ts";
import { modelOf, settingsFor } from "../../provider/shared/test-support/wire-run.ts";
import { bench, MemoryConversation } from "./bench.ts";

const adapters: Record<Wire, WireAdapter> = {
  anthropic: anthropicWire,
  "openai-responses": openaiResponsesWire,
  "openai-chat": openaiChatWire,
  gemini: geminiWire,
  ollama: ollamaWire,
};

/** Models whose services are the strictest: Claude 5.5 binds its thinking to all that came before, Gemini 3 its calls. */
const models: Record<Wire, string> = {
  anthropic: "claude-opus-5-5",
  "openai-responses": "gpt-5.5",
  "openai-chat": "local-reasoner",
  gemini: "gemini-3-pro",
  ollama: "qwen3",
};

export const WIRES = Object.keys(adapters) as Wire[];

/** A bench on the wire with the strictest model of its kind, or the one named. */
export function wired(
  server: ModelServer,
  wire: Wire,
  more: Parameters<typeof bench>[0] & { modelId?: string } = {},
) {
  const { modelId = models[wire], ...rest } = more;
  const client = adapters[wire].open(settingsFor(server, wire));
  return bench({ client, model: modelOf(wire, { id: modelId }), thinking: "high", ...rest });
}

/** The conversation as a later process reads it from its file. */
export function reloaded(conversation: MemoryConversation): MemoryConversation {
  const list = JSON.parse(JSON.stringify(conversation.list)) as Message[];
  return new MemoryConversation(list, conversation.outdated);
}

/** Runs to the end; waits before retries pass at once. */
export function runPatiently(
  b: ReturnType<typeof bench>,
  prompt: string | null = "go",
): Promise<AgentEvent[]> {
  return b.run(prompt, (event) => {
    if (event.type !== "retry") return;
    void b.clock.sleeping(event.delay_ms).then(() => b.clock.advance(event.delay_ms));
  });
}

/** All results in a conversation, in the order in which they were stored. */
export function resultsIn(conversation: MemoryConversation): ToolResultPart[] {
  return conversation.list.flatMap((message) => (message.role === "tool" ? message.parts : []));
}

/** The text deltas, joined: what a person has read. */
export function shownText(events: readonly AgentEvent[]): string {
  return events.map((event) => (event.type === "text_delta" ? event.delta : "")).join("");
}

/** Why a run ended. */
export function stopReason(events: readonly AgentEvent[]): string | undefined {
  const last = events.at(-1);
  return last?.type === "message_end" ? last.stop_reason : undefined;
}
