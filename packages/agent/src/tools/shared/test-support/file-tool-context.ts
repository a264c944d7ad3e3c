import type { JsonObject } from "../../../contract/json.ts";
import type { ModelInfo } from "../../../contract/model.ts";
import type { ToolContext, ToolDefinition, ToolOutcome } from "../../../contract/tool.ts";
import { createFileDoor } from "../../../sandbox/files/file-door.ts";
import { createReadLedger } from "../../../sandbox/ledger.ts";

const MODEL: ModelInfo = {
  provider: "test",
  id: "test-model",
  name: "Test",
  wire: "anthropic",
  known: true,
  contextWindow: 200_000,
  maxOutput: 8000,
  images: true,
  reasoning: false,
};

function notHere(): never {
  throw new Error("a file tool must not use this door");
}

/** Doors for tools that need files only: the real file door and ledger on a real folder. */
export function fileToolContext(
  root: string,
  options: { images?: boolean; signal?: AbortSignal } = {},
): ToolContext {
  const files = createFileDoor({ root });
  return {
    cwd: files.root,
    callId: "call-1",
    sessionId: "session-1",
    model: { ...MODEL, images: options.images ?? true },
    files,
    ledger: createReadLedger(),
    processes: { start: notHere, run: notHere, list: () => [], endAll: notHere },
    shell: { confinement: { tier: "off", active: false }, start: notHere },
    spill: { open: notHere },
    signal: options.signal ?? new AbortController().signal,
    progress: () => undefined,
  };
}

/** Runs a tool as the loop would, on a context; checks what holds for every outcome. */
export async function runTool<Input>(
  tool: ToolDefinition<Input>,
  context: ToolContext,
  input: Input,
): Promise<ToolOutcome & { details: JsonObject }> {
  const outcome = await tool.run(input, context);
  if (!outcome.text.isWellFormed()) throw new Error(`${tool.name}: the text holds half a character`);
  if (/[\0\ufffd]/.test(outcome.text)) throw new Error(`${tool.name}: the text holds NUL or U+FFFD`);
  if (outcome.details["outcome"] !== outcome.outcome)
    throw new Error(`${tool.name}: details.outcome is wrong`);
  return outcome;
}

/** As if the model had read all of these files. */
export function sawWhole(context: ToolContext, ...paths: string[]): void {
  for (const path of paths)
    context.ledger.record(context.files.key(path), context.files.readAll(path, 1_000_000), "whole");
}
