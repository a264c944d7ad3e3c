import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { size } from "../../commands/sessions/show-session.ts";
import type { Notice } from "../../contract/settings.ts";
import type { HomeFolders } from "../../platform/home.ts";
import { ensurePrivateFolder } from "../../platform/private-folder.ts";
import { applyRetention, type RetentionLimits, type RetentionReport } from "../../session/retention.ts";
import { Notices } from "../notices.ts";
import { sessionStore } from "../open-session.ts";

/** The file whose time says when a process of this user last looked. */
const STAMP = "retention";
const EVERY_MS = 3_600_000;

/**
 * Keeps the saved sessions within the `retention` setting, once an hour for all processes together; says what was deleted. `current` is
 * the session of this run. Never rejects.
 */
export async function keepWithin(
  limits: RetentionLimits,
  home: HomeFolders,
  current: string,
  signal: AbortSignal,
): Promise<Notice[]> {
  const now = Date.now();
  if ((limits.days === 0 && limits.maxBytes === 0) || !due(home, now)) return [];
  try {
    const sessions = sessionStore(home, new Notices()).list();
    const keep = new Set([current]);
    const report = await applyRetention({ root: home.sessions, sessions, limits, keep, now, signal });
    return sentences(report, limits);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return [{ level: "warning", message: `old sessions were not looked at: ${reason}` }];
  }
}

function sentences(report: RetentionReport, { days, maxBytes }: RetentionLimits): Notice[] {
  const { old, oversize, bytes, problems } = report;
  const said: string[] = [];
  if (old > 0) said.push(`${sessions(old)} last used more than ${days} days ago (retention.days)`);
  if (oversize > 0)
    said.push(
      `${sessions(oversize)} that were used longest ago, to keep all within ${size(maxBytes)} (retention.maxBytes)`,
    );
  const notices: Notice[] = problems.map((message) => ({ level: "warning", message }));
  if (said.length > 0)
    notices.push({ level: "info", message: `deleted ${said.join(", and ")}: ${size(bytes)} are free again` });
  return notices;
}

function sessions(count: number): string {
  return `${count} ${count === 1 ? "session" : "sessions"}`;
}

/** True once an hour; a disk that refuses the stamp costs a look each time. */
function due({ cache }: HomeFolders, now: number): boolean {
  const stamp = join(cache, STAMP);
  try {
    const last = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Math.abs(now - last) < EVERY_MS) return false;
    ensurePrivateFolder(cache);
    writeFileSync(stamp, "", { mode: 0o600 });
  } catch {
    // look anyway
  }
  return true;
}
