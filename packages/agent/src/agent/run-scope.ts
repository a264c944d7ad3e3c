/** What one run works with: the options as they were at its start, and what the runner keeps between runs. */
import type { Callbacks } from "../contract/callbacks.ts";
import type { Message, ModelSource, Usage } from "../contract/messages.ts";
import type { CallRegister } from "./call-register.ts";
import type { CompactionMemory } from "./compaction/settings.ts";
import type { ContextMeter } from "./context-meter.ts";
import type { RunnerOptions } from "./options.ts";
import type { RepairedHistory } from "./repair/history.ts";
import type { Toolbox } from "./toolbox.ts";
import { wellFormed } from "./well-formed.ts";

export interface RunScope {
  readonly options: Readonly<RunnerOptions>;
  readonly source: ModelSource;
  readonly system: string;
  readonly callbacks: readonly Callbacks[];
  readonly toolbox: Toolbox;
  readonly history: RepairedHistory;
  readonly calls: CallRegister;
  readonly meter: ContextMeter;
  readonly memory: CompactionMemory;
}

/** Tokens that the next request will take. */
export function contextTokens({ options, meter }: RunScope): number {
  return meter.tokens(options.conversation.messages(), options.conversation.outdated.before);
}

/** Stores a message; no string in it can break the file or a later request. */
export function store(scope: RunScope, message: Message): void {
  scope.options.conversation.append(wellFormed(message));
}

/** The usage with what it cost, where the price is known. */
export function priced(scope: RunScope, usage: Usage): Usage {
  const cost = usage.cost_usd ?? scope.options.priceOf?.(usage, scope.options.model);
  return cost === undefined ? usage : { ...usage, cost_usd: cost };
}
