import type { MemoryRecord } from "../memory/record.ts";
import type { SessionSummary } from "../ports/memory-store.ts";
import { frameMemory } from "../recall/frame.ts";
import { frameSummary, frameTitle, hasContent } from "./frame-summary.ts";
import { MOST, type StartParts } from "./read-session-parts.ts";
import { type Piece, type Synthesis, synthesize } from "./synthesis.ts";

/** What a piece of a session's start stands for; a summary has no id of its own. */
export type StartItem = MemoryRecord | SessionSummary;

/**
 * The start of a session: pinned memories, preferences and decisions whole, the last session's summary, then titles of what was
 * recent. The order depends on the memories alone, so that two fresh sessions begin with the same bytes.
 */
export function composeStart(parts: StartParts, budget: number): Synthesis<StartItem> {
  const seen = new Set<string>();
  const fresh = (records: readonly MemoryRecord[], most: number): MemoryRecord[] =>
    [...records]
      .sort(newestFirst)
      .filter(({ id }) => !seen.has(id) && seen.add(id))
      .slice(0, most);
  const whole = [
    ...fresh(parts.pinned, MOST.pinned),
    ...fresh(parts.preferences, MOST.preferences),
    ...fresh(parts.decisions, MOST.decisions),
  ];
  const titles = fresh(parts.recent, MOST.recent);
  const pieces: Piece<StartItem>[] = whole.map((item) => ({ item, text: frameMemory(item) }));
  if (parts.summary !== undefined && hasContent(parts.summary))
    pieces.push({ item: parts.summary, text: frameSummary(parts.summary) });
  pieces.push(...titles.map((item) => ({ item, text: frameTitle(item) })));
  return synthesize(pieces, budget);
}

/** Newest first; of one moment, by id. */
export function newestFirst(one: MemoryRecord, other: MemoryRecord): number {
  return other.at - one.at || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}
