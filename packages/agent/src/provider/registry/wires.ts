import type { Wire } from "../../contract/messages.ts";
import type { WireAdapter } from "../../contract/model.ts";

/** The adapter of a wire protocol. Its code is loaded only here. */
export async function loadWire(wire: Wire): Promise<WireAdapter> {
  switch (wire) {
    case "anthropic":
      return (await import("../anthropic/client.ts")).anthropicWire;
    case "openai-responses":
      return (await import("../openai/client.ts")).openaiResponsesWire;
    case "openai-chat":
      return (await import("../openai-chat/client.ts")).openaiChatWire;
    case "gemini":
      return (await import("../gemini/client.ts")).geminiWire;
    case "ollama":
      return (await import("../ollama/client.ts")).ollamaWire;
  }
}
