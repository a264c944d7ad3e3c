/** Histories that are long, and what a compaction of them needs. */
import type { JsonObject } from "../../contract/json.ts";
import { type AssistantMessage, type Message, noUsage, type ToolMessage } from "../../contract/messages.ts";
import type { ModelRequest } from "../../contract/model.ts";
import type { SpillDoor } from "../../contract/tool.ts";
import { testModel } from "./fake-model.ts";

const source = { provider: "test", wire: "anthropic", model: "test-model" } as const;

/** An answer that makes one call. */
export function calling(id: string, name: string, args: JsonObject = {}): AssistantMessage {
  const parts = [{ type: "tool_call", id, name, arguments: args } as const];
  return { role: "assistant", parts, source, stop: "tool", usage: noUsage() };
}

export function saying(text: string): AssistantMessage {
  return { role: "assistant", parts: [{ type: "text", text }], source, stop: "end", usage: noUsage() };
}

export function resulting(id: string, name: string, text: string, details: JsonObject = {}): ToolMessage {
  return {
    role: "tool",
    parts: [{ type: "tool_result", id, name, content: [{ type: "text", text }], isError: false, details }],
  };
}

/** `count` steps of a tool named `name`, whose results take about `tokens` each. */
export function steps(count: number, tokens = 400, name = "look"): Message[] {
  return Array.from({ length: count }, (_, n) => [
    calling(`${name}${n}`, name, { n }),
    resulting(`${name}${n}`, name, `RESULT-${n} ${"word ".repeat(tokens)}`),
  ]).flat();
}

/** True for a request that asks for a summary. */
export function asksForSummary(request: ModelRequest): boolean {
  return request.system.includes("hand-over notes");
}

/** A model with a small window. */
export const smallModel = { ...testModel, contextWindow: 20_000, maxOutput: 2_000 };

export const automatic = { enabled: true, threshold: 0.85 };

/** Files in memory. `refuse` makes it a full disk. */
export function fakeSpill(refuse = false): SpillDoor & { files: Map<string, string> } {
  const files = new Map<string, string>();
  return {
    files,
    open(label) {
      if (refuse) return null;
      const path = `/spill/${label}-${files.size + 1}.txt`;
      let text = "";
      return {
        path,
        dropped: 0,
        get written() {
          return text.length;
        },
        write(bytes) {
          text += new TextDecoder().decode(bytes);
        },
        close() {
          files.set(path, text);
        },
      };
    },
  };
}
