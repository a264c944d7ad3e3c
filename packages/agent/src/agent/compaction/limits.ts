/** How much of the window each part of a compacted history may take. All numbers are tokens. */
import type { ModelInfo } from "../../contract/model.ts";
import type { CompactionSettings } from "./settings.ts";

const MOST_RESERVE = 16_384;
const MOST_RESERVE_SHARE = 0.3;
/** Below this share of the trigger shedding alone was enough; else the next request would trip it again. */
const ENOUGH_SHARE = 0.8;

export interface CompactionLimits {
  window: number;
  /** A request larger than this is preceded by a compaction. */
  trigger: number;
  /** What a compaction should come down to. */
  target: number;
  /** The newest steps, verbatim. */
  tail: number;
  /** Earlier messages of the person, verbatim. */
  user: number;
  /** The newest request of the person. */
  request: number;
  reminders: number;
  files: number;
  /** The summary itself, as it is asked for. */
  summary: number;
}

/** `answer`: tokens that one answer may use. The reserve for it never exceeds 30 % of the window. */
export function limitsFor(
  window: number,
  settings: Pick<CompactionSettings, "threshold" | "reserve">,
  answer: number,
): CompactionLimits {
  const share = (part: number, most: number) => Math.min(most, Math.floor(window * part));
  const reserve = Math.min(
    settings.reserve ?? Math.min(MOST_RESERVE, answer),
    share(MOST_RESERVE_SHARE, window),
  );
  const trigger = Math.max(0, Math.min(Math.floor(window * settings.threshold), window - reserve));
  return {
    window,
    trigger,
    target: Math.floor(trigger * ENOUGH_SHARE),
    tail: share(0.15, 20_000),
    user: share(0.1, 20_000),
    request: share(0.15, 20_000),
    reminders: share(0.04, 4_000),
    files: share(0.07, 4_000),
    summary: share(0.08, 6_000),
  };
}

/** Limits of one request for a summary: what may be read, and what may be written (a model that always thinks needs room for that). */
export function summaryLimits(
  model: ModelInfo,
  window: number,
  summary: number,
): { input: number; output: number } {
  const output = Math.max(
    1,
    Math.min(model.maxOutput, Math.floor(window * MOST_RESERVE_SHARE), summary * 2 + 4_096),
  );
  // Estimates are off by a tenth or so, and a request that is too long would be lost.
  return { input: Math.floor((window - output) * 0.8), output };
}
