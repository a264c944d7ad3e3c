import type { JsonObject } from "../../contract/json.ts";
import { type AssistantPart, type Message, noUsage, textOf } from "../../contract/messages.ts";
import type { ModelClient, ModelEvent, ModelInfo, ModelRequest } from "../../contract/model.ts";
import { DEMO_BUG } from "./demo-project.ts";

/** The model of `pi demo`, as every event names it: scripted, so that nobody takes it for a real one. */
export const SCRIPTED_MODEL: ModelInfo = {
  provider: "demo",
  id: "scripted",
  name: "Scripted demo model",
  wire: "openai-chat",
  known: true,
  contextWindow: 128_000,
  maxOutput: 8_000,
  images: false,
  reasoning: false,
};

interface Step {
  say: (lastResult: string) => string;
  calls: { name: string; input: JsonObject }[];
}

const STEPS: readonly Step[] = [
  {
    say: () => "I will look at the project and run its tests first.\n",
    calls: [
      { name: "tree", input: {} },
      { name: "bash", input: { command: "bash tests/run.sh" } },
    ],
  },
  {
    say: (result) => `The tests say: ${failures(result)}. The sums come from src/receipt.sh.\n`,
    calls: [
      { name: "read", input: { file_path: "src/receipt.sh" } },
      { name: "grep", input: { pattern: "total", path: "tests" } },
    ],
  },
  {
    say: () =>
      `\`\${@:2}\` begins at the second argument, so the first amount of every receipt is left out. I will take all of them.\n`,
    calls: [
      {
        name: "edit",
        input: { file_path: "src/receipt.sh", old_string: DEMO_BUG.wrong, new_string: DEMO_BUG.right },
      },
    ],
  },
  {
    say: () => "Now the tests again.\n",
    calls: [{ name: "bash", input: { command: "bash tests/run.sh" } }],
  },
  {
    say: (result) =>
      /^0 failed$/m.test(result)
        ? "Fixed: `total` left out the first amount, because its loop began at the second argument. I changed that one line in src/receipt.sh; all tests pass now."
        : `The tests still fail: ${failures(result)}. The script of this demo does not know how to go on.`,
    calls: [],
  },
];

/**
 * A model that follows a script and ships inside: no key, no network. It drives the real loop and the real tools, and what
 * it says about results it reads from the real results. Its tokens are counted as zero.
 */
export function createScriptedClient(newId: () => string): ModelClient {
  const source = () => ({ provider: "demo", wire: SCRIPTED_MODEL.wire, model: SCRIPTED_MODEL.id });
  return {
    rules: { callId: /^[a-zA-Z0-9_-]{1,40}$/, toolName: /^[a-zA-Z0-9_-]{1,64}$/, imagesInResults: false },
    source,
    async *stream(request: ModelRequest): AsyncIterable<ModelEvent> {
      const answered = request.messages.filter((message) => message.role === "assistant").length;
      const step = STEPS[Math.min(answered, STEPS.length - 1)]!;
      const text = step.say(lastResult(request.messages));
      const parts: AssistantPart[] = [{ type: "text", text }];
      for (const word of text.match(/\S+\s*/g) ?? []) yield { type: "text_delta", delta: word };
      for (const call of step.calls)
        parts.push({ type: "tool_call", id: newId(), name: call.name, arguments: call.input });
      yield {
        type: "end",
        message: {
          role: "assistant",
          parts,
          source: source(),
          stop: step.calls.length > 0 ? "tool" : "end",
          usage: noUsage(),
        },
      };
    },
  };
}

function lastResult(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === "tool");
  return last?.role === "tool" ? last.parts.map((part) => textOf(part.content)).join("\n") : "";
}

function failures(result: string): string {
  const lines = result.match(/^FAIL .*$/gm) ?? [];
  return lines.length > 0 ? lines.map((line) => line.slice(5)).join("; ") : "nothing that I understand";
}
