import { formatCount } from "../../../platform/format-count.ts";
import { clipLine } from "../truncate.ts";

/** What a search did not look at. */
export interface Skipped {
  ignored: readonly string[];
  ignoredCount: number;
  secret: number;
  unreadable: readonly string[];
}

/** One line for each kind of place that was not looked at, with the way to look there; empty when all was. */
export function skippedNotes(skipped: Skipped): string[] {
  const notes: string[] = [];
  if (skipped.ignoredCount > 0)
    notes.push(
      `not searched: ${formatCount(skipped.ignoredCount)} ignored by .gitignore (${sample(skipped.ignored)}); all: true searches them too`,
    );
  if (skipped.secret > 0)
    notes.push(
      `not shown: ${formatCount(skipped.secret)} secret files (.env, keys, or kept by rules of the user)`,
    );
  if (skipped.unreadable.length > 0)
    notes.push(
      `could not be read: ${formatCount(skipped.unreadable.length)} (${sample(skipped.unreadable)})`,
    );
  return notes;
}

function sample(names: readonly string[]): string {
  const shown = names
    .slice(0, 5)
    .map((name) => clipLine(name, 300))
    .join(", ");
  return names.length > 5 ? `${shown}, …` : shown;
}
