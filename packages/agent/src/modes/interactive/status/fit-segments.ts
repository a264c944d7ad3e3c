import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

/** A fact on the status line. */
export interface Segment {
  /** Painted text of one line, the longest form first. */
  readonly forms: readonly [string, ...string[]];
  /** Lower ranks are kept longer as the width shrinks. */
  readonly rank: number;
}

const GAP = 2;

/**
 * At most `rows` rows of segments in their order, each at most `width` columns. The segments of the lowest ranks are kept, in their
 * shortest form where there is no room for more; room that is left goes to longer forms, by rank too.
 */
export function fitSegments(segments: readonly Segment[], width: number, rows: number): string[] {
  if (width < 1 || segments.length === 0) return [];
  const byRank = segments.map((_, index) => index).sort((a, b) => segments[a]!.rank - segments[b]!.rank);
  const widths = segments.map((segment) => segment.forms.map((form) => visibleWidth(form)));
  const form: (number | null)[] = segments.map(() => null);
  const fits = () => {
    let row = 0;
    let used = 0;
    for (const [index, chosen] of form.entries()) {
      if (chosen === null) continue;
      const needed = widths[index]![chosen]!;
      if (used > 0 && used + GAP + needed > width) {
        row++;
        used = 0;
      }
      if (needed > width || row >= rows) return false;
      used += (used > 0 ? GAP : 0) + needed;
    }
    return true;
  };
  for (const index of byRank) {
    form[index] = segments[index]!.forms.length - 1;
    if (!fits()) form[index] = null;
  }
  for (const index of byRank)
    for (let longer = (form[index] ?? 0) - 1; longer >= 0; longer--) {
      const shorter = form[index]!;
      form[index] = longer;
      if (fits()) continue;
      form[index] = shorter;
      break;
    }
  const kept = segments.flatMap((segment, index) => {
    const chosen = form[index];
    return chosen === null || chosen === undefined
      ? []
      : [{ text: segment.forms[chosen]!, width: widths[index]![chosen]! }];
  });
  if (kept.length === 0) return [truncateToWidth(segments[byRank[0]!]!.forms.at(-1)!, width, "…")];
  return joinRows(kept, width);
}

function joinRows(kept: readonly { text: string; width: number }[], width: number): string[] {
  const rows: string[] = [];
  let used = 0;
  for (const { text, width: needed } of kept) {
    if (used > 0 && used + GAP + needed <= width) {
      rows[rows.length - 1] += " ".repeat(GAP) + text;
      used += GAP + needed;
    } else {
      rows.push(text);
      used = needed;
    }
  }
  return rows;
}
