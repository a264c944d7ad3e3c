/** A model client for tests of the loop: each answer is a script of events. */
import type { JsonObject } from "../../contract/json.ts";
import {
  type AssistantPart,
  type ModelSource,
  type ModelStop,
  noUsage,
  type ToolCallPart,
  type Usage,
} from "../../contract/messages.ts";
import type { ModelClient, ModelError, ModelEvent, ModelInfo, ModelRequest } from "../../contract/model.ts";

export const testModel: ModelInfo = {
  provider: "test",
  id: "test-model",
  name: "Test Model",
  wire: "anthropic",
  known: true,
  contextWindow: 200_000,
  maxOutput: 8_000,
  images: true,
  reasoning: true,
};

/** What a script does: events to yield, a promise to wait for, or something to run. */
export type Step = ModelEvent | Promise<unknown> | ((signal: AbortSignal) => unknown);
export type Script = readonly Step[] | ((request: ModelRequest) => readonly Step[]);

export function usage(input: number, output: number, more: Partial<Usage> = {}): Usage {
  const sum = { ...noUsage(), input, output, ...more };
  return { ...sum, total: sum.input + sum.output + sum.cache_read + sum.cache_write };
}

export function text(delta: string): ModelEvent {
  return { type: "text_delta", delta };
}

export function thinking(delta: string): ModelEvent {
  return { type: "thinking_delta", delta };
}

export function call(
  id: string,
  name: string,
  args: JsonObject = {},
  more: Partial<ToolCallPart> = {},
): ToolCallPart {
  return { type: "tool_call", id, name, arguments: args, ...more };
}

export function failure(error: Partial<ModelError> & Pick<ModelError, "code">): ModelEvent {
  const full = { message: `failed: ${error.code}`, retryable: true, ...error };
  return { type: "error", error: full, partial: [] };
}

export class FakeModel implements ModelClient {
  readonly rules = {
    callId: /^[a-zA-Z0-9_-]{1,64}$/,
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
    imagesInResults: true,
    bindsThinking: () => true,
  };
  readonly requests: ModelRequest[] = [];
  readonly signals: AbortSignal[] = [];
  /** Answers once the scripts are used up. */
  otherwise: Script | undefined;
  #scripts: Script[] = [];

  source(model: ModelInfo): ModelSource {
    return { provider: model.provider, wire: model.wire, model: model.id };
  }

  /** The end of an answer. */
  end(parts: AssistantPart[], stop?: ModelStop, used: Usage = usage(100, 10)): ModelEvent {
    const calls = parts.some((part) => part.type === "tool_call");
    return {
      type: "end",
      message: {
        role: "assistant",
        parts,
        source: this.source(testModel),
        stop: stop ?? (calls ? "tool" : "end"),
        usage: used,
      },
    };
  }

  /** Adds an answer of these events. */
  script(...steps: Step[]): this {
    this.#scripts.push(steps);
    return this;
  }

  /** Adds an answer of plain text. */
  says(answer: string, used?: Usage): this {
    return this.script(text(answer), this.end([{ type: "text", text: answer }], "end", used));
  }

  /** Adds an answer that makes these calls. */
  calls(...calls: ToolCallPart[]): this {
    return this.script(this.end(calls));
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    this.requests.push(structuredClone(request));
    this.signals.push(signal);
    const script = this.#scripts.shift() ?? this.otherwise;
    if (!script) throw new Error(`no script for request ${this.requests.length}`);
    for (const step of typeof script === "function" ? script(request) : script) {
      if (typeof step === "function") await step(signal);
      else if (step instanceof Promise) await step;
      else yield step;
    }
  }
}
