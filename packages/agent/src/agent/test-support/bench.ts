/** A runner on a fake model, with a conversation in memory. */
import type { Callbacks } from "../../contract/callbacks.ts";
import type { AgentEvent } from "../../contract/events.ts";
import type { Message, UserMessage } from "../../contract/messages.ts";
import type { CompactionKind, Conversation, OutdatedRange } from "../../contract/session.ts";
import type { AnyTool, ToolContext, ToolDefinition, ToolOutcome } from "../../contract/tool.ts";
import type { RunnerOptions } from "../options.ts";
import { Runner } from "../runner.ts";
import { FakeModel, testModel } from "./fake-model.ts";
import { ManualClock } from "./manual-clock.ts";

interface Compaction {
  kind: CompactionKind;
  stoodFor: Message[];
  size: number;
  /** Messages that were there when it was made. */
  length: number;
}

export class MemoryConversation implements Conversation {
  readonly id = "conversation-1";
  /** What the model sees. */
  readonly list: Message[];
  /** Everything that was ever appended. */
  readonly log: Message[];
  outdated: OutdatedRange;
  synced = 0;
  readonly #compactions: Compaction[] = [];

  constructor(list: Message[] = [], outdated: OutdatedRange = { from: 0, before: 0 }) {
    this.list = list;
    this.log = [...list];
    this.outdated = outdated;
  }

  messages(): readonly Message[] {
    return this.list;
  }

  append(message: Message): void {
    this.list.push(message);
    this.log.push(message);
  }

  compact(kind: CompactionKind, messages: readonly Message[], upTo: number): void {
    this.#compactions.push({ kind, stoodFor: this.list.slice(0, upTo), size: messages.length, length: 0 });
    this.list.splice(0, upTo, ...messages);
    const { length } = this.list;
    this.#compactions.at(-1)!.length = length;
    this.outdated = { from: length, before: length };
  }

  undoCompaction(): CompactionKind | null {
    const last = this.#compactions.pop();
    if (!last) return null;
    this.list.splice(0, last.size, ...last.stoodFor);
    this.outdated = {
      from: last.length - last.size + last.stoodFor.length,
      before: this.list.length,
    };
    return last.kind;
  }

  sync(): void {
    this.synced++;
  }
}

export function found(answer: string): ToolOutcome {
  return { outcome: "found", text: answer, isError: false, details: {} };
}

/** A tool that answers with its name, unless told otherwise. */
export function tool(name: string, more: Partial<ToolDefinition> = {}): AnyTool {
  return {
    name,
    kind: "inspect",
    description: name,
    input: { type: "object", properties: { x: { type: "number" } } },
    run: () => Promise.resolve(found(`${name} ran`)),
    ...more,
  };
}

export function user(textOfIt: string): UserMessage {
  return { role: "user", parts: [{ type: "text", text: textOfIt }], origin: "user" };
}

interface BenchOptions extends Partial<Omit<RunnerOptions, "callbacks" | "clock" | "conversation">> {
  conversation?: MemoryConversation;
  callbacks?: readonly Partial<Callbacks>[];
  history?: Message[];
  stop?: AbortController;
}

/** Everything a test of the loop needs. */
export function bench(more: BenchOptions = {}) {
  const model = new FakeModel();
  const clock = new ManualClock();
  const { history, callbacks, conversation = new MemoryConversation(history ?? []), stop, ...rest } = more;
  let ids = 0;
  const options: RunnerOptions = {
    conversation,
    model: testModel,
    client: model,
    system: "system text",
    tools: [],
    toolContext: (callId, signal, progress) =>
      ({
        cwd: "/project",
        callId,
        sessionId: conversation.id,
        model: testModel,
        signal,
        progress,
      }) as ToolContext,
    clock,
    newId: () => `id${++ids}`,
    random: () => 0.5,
    agentName: "pi",
    cwd: "/project",
    thinking: "off",
    retry: { maxDelayMs: 30_000 },
    idle: { firstByteMs: 300_000, betweenMs: 90_000 },
    ...rest,
    ...(callbacks ? { callbacks: callbacks.map((each, i) => ({ name: `callback ${i + 1}`, ...each })) } : {}),
  };
  const runner = new Runner(options);
  return {
    model,
    clock,
    conversation,
    options,
    runner,
    /** Aborts the runs; a test may put a new one in its place. */
    stop: stop ?? new AbortController(),
    /** Runs to the end and gives all events. `on` sees each event as it comes. */
    async run(prompt: string | null = "go", on?: (event: AgentEvent) => void): Promise<AgentEvent[]> {
      const events: AgentEvent[] = [];
      for await (const event of runner.run(prompt === null ? null : user(prompt), this.stop.signal)) {
        events.push(event);
        on?.(event);
      }
      return events;
    },
  };
}

/** The events of one type. */
export function of<Type extends AgentEvent["type"]>(
  events: readonly AgentEvent[],
  type: Type,
): Extract<AgentEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
}
