/** What decides about compaction, and what is remembered of it. */
import type { ModelClient, ModelInfo } from "../../contract/model.ts";

/** Who writes a summary. */
export interface SummaryModel {
  model: ModelInfo;
  client: ModelClient;
}

/** When and how the history gives way to a summary. */
export interface CompactionSettings {
  /** Whether it comes by itself; a person may ask for it in any case. */
  enabled: boolean;
  /** The share of the window (0 to 1) that starts it. */
  threshold: number;
  /** Tokens kept free for an answer; never over 30 % of the window. Default: what an answer may use, at most 16,384. */
  reserve?: number;
  /** Default: the model of the run. */
  summaryModel?: SummaryModel;
}

/** What is remembered from one run to the next, for one model. */
export interface CompactionMemory {
  /** The window as it turned out to be, where that is smaller than told. */
  window?: number;
  /** No automatic compaction before the context is larger than this. */
  quietBelow: number;
}
