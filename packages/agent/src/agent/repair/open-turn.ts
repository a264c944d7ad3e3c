/** One assistant message with calls and the results found for them. */
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
} from "../../contract/messages.ts";
import type { HistoryRules } from "../../contract/model.ts";
import { type CallIds, fittingToolName } from "./call-ids.ts";
import { cleanAssistantParts, cleanResult, type PartRules } from "./clean-parts.ts";

/** What a call without a result is answered with: we cannot know whether it ran. */
export const LOST_RESULT =
  "Interrupted: the result of this call is not known. It may or may not have run; check before you repeat it.";

interface Slot {
  call: ToolCallPart;
  id: string;
  name: string;
  result: ToolResultPart | undefined;
}

/** Collects results until the turn is over, then gives the two messages that a provider accepts. */
export class OpenTurn {
  readonly #message: AssistantMessage;
  readonly #rules: HistoryRules & PartRules;
  readonly #withThinking: boolean;
  readonly #slots: Slot[] = [];

  constructor(
    message: AssistantMessage,
    rules: HistoryRules & PartRules,
    ids: CallIds,
    withThinking: boolean,
  ) {
    this.#message = message;
    this.#rules = rules;
    this.#withThinking = withThinking;
    for (const call of message.parts) {
      if (call.type !== "tool_call") continue;
      this.#slots.push({
        call,
        id: ids.claim(call.id),
        name: fittingToolName(call.name.toWellFormed(), rules),
        result: undefined,
      });
    }
  }

  get waiting(): boolean {
    return this.#slots.some((slot) => !slot.result);
  }

  /** Takes results of this turn's calls; those of no call and second ones are dropped. */
  take(results: readonly ToolResultPart[]): void {
    for (const result of results) {
      const slot = this.#slots.find((open) => open.call.id === result.id && !open.result);
      if (slot) slot.result = result;
    }
  }

  /** The assistant message and, if it has calls, their results in call order. Empty when nothing of it may be sent. */
  messages(): Message[] {
    // A call of an unfinished answer never ran, unless its result says otherwise.
    const kept = this.#message.partial ? this.#slots.filter((slot) => slot.result) : this.#slots;
    const byCall = new Map<ToolCallPart, Slot>(kept.map((slot) => [slot.call, slot]));
    const parts = this.#parts(byCall);
    if (parts.length === 0) return [];
    const assistant: AssistantMessage = { ...this.#message, parts };
    if (kept.length === 0) return [assistant];
    const tool: ToolMessage = { role: "tool", parts: kept.map((slot) => this.#result(slot)) };
    return [assistant, tool];
  }

  #parts(byCall: ReadonlyMap<ToolCallPart, Slot>): AssistantPart[] {
    const message = {
      ...this.#message,
      parts: this.#message.parts.flatMap((part): AssistantPart[] => {
        if (part.type !== "tool_call") return [part];
        const slot = byCall.get(part);
        if (!slot) return [];
        if (slot.name !== part.name) return [renamed(part, slot)];
        return [slot.id === part.id ? part : { ...part, id: slot.id }];
      }),
    };
    return cleanAssistantParts(message, this.#rules, this.#withThinking);
  }

  #result(slot: Slot): ToolResultPart {
    const found: ToolResultPart = slot.result ?? {
      type: "tool_result",
      id: slot.id,
      name: slot.name,
      content: [{ type: "text", text: LOST_RESULT }],
      isError: true,
    };
    return cleanResult({ ...found, id: slot.id, name: slot.name }, this.#rules);
  }
}

/** A call under a name that the service takes; a signature over the old name would be refused. */
function renamed(part: ToolCallPart, { id, name }: Slot): ToolCallPart {
  const { opaque: _, ...rest } = part;
  return { ...rest, id, name };
}
