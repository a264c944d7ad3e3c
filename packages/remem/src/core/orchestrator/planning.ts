import type { MemoryState } from "../memory/record.ts";
import type { OrchestratorLimits } from "./limits.ts";
import type { Recognition } from "./recognition.ts";

/** What will be asked of every provider for one prompt. */
export interface RecallPlan {
  /** Search for the prompt's words. */
  readonly searches: boolean;
  /** Read what the last other session came to. */
  readonly readsLastSession: boolean;
  readonly states: readonly MemoryState[];
  /** Hits a provider may give: more than are shown, so that duplicates and large ones leave room for others. */
  readonly hits: number;
  readonly budget: number;
}

/** Null: stay silent. */
export function planRecall(recognition: Recognition, limits: OrchestratorLimits): RecallPlan | null {
  if (recognition.kind === "silent" || limits.promptTokens <= 0) return null;
  return {
    searches: recognition.kind === "topic" || recognition.topic,
    readsLastSession: recognition.kind === "continuity",
    states: ["active"],
    hits: limits.promptMemories * 3,
    budget: limits.promptTokens,
  };
}
