import { join } from "node:path";
import { isPiError } from "../contract/errors.ts";
import { folderSize } from "./folder-size.ts";
import type { ListedSession } from "./listed-session.ts";
import { removeLeftovers, removeSession } from "./session-removal.ts";

/** What is kept of old sessions; 0 is no limit. */
export interface RetentionLimits {
  days: number;
  maxBytes: number;
}

export interface RetentionReport {
  /** Deleted for their age. */
  old: number;
  /** Deleted, the oldest first, so that all fit. */
  oversize: number;
  /** Bytes that were freed. */
  bytes: number;
  /** What could not be deleted, in whole sentences. */
  problems: string[];
}

const DAY = 24 * 3_600_000;
/** Sessions that are looked at in one go, so that a program goes on meanwhile. */
const TURN = 100;

/**
 * Deletes sessions beyond the limits. Those in use, those of other programs and `keep` stay, whatever the limits say. Rejects never;
 * ends early at an abort.
 */
export async function applyRetention(options: {
  root: string;
  sessions: readonly ListedSession[];
  limits: RetentionLimits;
  keep: ReadonlySet<string>;
  /** Milliseconds since 1970. */
  now: number;
  signal: AbortSignal;
}): Promise<RetentionReport> {
  const { root, limits, keep, now, signal } = options;
  const report: RetentionReport = { old: 0, oversize: 0, bytes: 0, problems: [] };
  const own = options.sessions
    .filter(({ foreign }) => foreign === undefined)
    // A session whose time nobody knows must not be the first to go.
    .map((session) => ({ id: session.id, updated: Date.parse(session.updated) || now }))
    .sort((a, b) => a.updated - b.updated);
  removeLeftovers(root);
  const remove = (id: string, bytes: number): boolean => {
    if (keep.has(id)) return false;
    try {
      if (removeSession(root, id) !== null) return false;
    } catch (thrown) {
      if (isPiError(thrown)) report.problems.push(thrown.message);
      return false;
    }
    report.bytes += bytes;
    return true;
  };
  const sizes: { id: string; bytes: number }[] = [];
  let total = 0;
  for (const [index, { id, updated }] of own.entries()) {
    if (index % TURN === TURN - 1) await new Promise((resolve) => setTimeout(resolve, 0));
    if (signal.aborted) return report;
    const tooOld = limits.days > 0 && updated < now - limits.days * DAY;
    if (!tooOld && limits.maxBytes === 0) break; // the others are younger still
    const bytes = folderSize(join(root, id));
    if (tooOld && remove(id, bytes)) report.old++;
    else {
      sizes.push({ id, bytes });
      total += bytes;
    }
  }
  for (const { id, bytes } of limits.maxBytes > 0 ? sizes : []) {
    if (total <= limits.maxBytes || signal.aborted) break;
    if (!remove(id, bytes)) continue;
    total -= bytes;
    report.oversize++;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return report;
}
