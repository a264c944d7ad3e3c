import { existsSync, renameSync } from "node:fs";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { fileFailure } from "../platform/file-failure.ts";
import { localDay } from "../platform/local-day.ts";
import { lifeOf, type ProcessIdentity } from "../platform/process-identity.ts";
import { readSmallFile } from "../platform/read-small-file.ts";

/** What was used on one day. */
export interface DayUsage {
  input_tokens: number;
  output_tokens: number;
  requests: number;
}

/** Tokens that a running request may still use. */
export interface Reservation {
  id: string;
  tokens: number;
  owner: ProcessIdentity;
  /** Milliseconds since 1970. */
  expires: number;
}

/** `usage.json`. `earlier` keeps past days, so that a clock that jumps ahead and back loses none. */
export interface UsageFile extends DayUsage {
  /** The local day, YYYY-MM-DD. */
  date: string;
  /** Its bounds in milliseconds since 1970: between them nobody needs the time zone, whose data costs a start 10 ms. */
  from?: number;
  until?: number;
  reserved: Reservation[];
  earlier: Record<string, DayUsage>;
}

/** A request that lasts longer than this has lost its reservation, never its count. */
export const RESERVATION_MS = 3_600_000;
const MOST_EARLIER_DAYS = 31;
const DAY_MS = 24 * 3_600_000;
/** A date this far ahead is a journey through time zones; further ahead the clock was wrong. */
const AHEAD_MS = 48 * 3_600_000;

/** Reads the file and brings it to today: another day's counts are put away, dead requests' reservations dropped. Throws a PiError when it cannot be read. */
export function readUsage(path: string, now: number, onBroken: (text: string) => void): UsageFile {
  let text: string | null = null;
  try {
    if (existsSync(path)) text = readSmallFile(path);
  } catch (thrown) {
    throw fileFailure("read", path, thrown);
  }
  const usage = text === null ? emptyUsage(now) : (parseUsage(text) ?? null);
  if (usage === null) {
    onBroken(path);
    return emptyUsage(now);
  }
  return broughtToToday(usage, now);
}

/** Writes the file, whole or not at all; without an fsync, since this is done with each request. */
export function writeUsage(path: string, usage: UsageFile): void {
  writeFileAtomic(path, `${JSON.stringify(usage, null, 2)}\n`, { mode: 0o600, durable: false });
}

/** Moves a broken file aside; gives its new name. Throws a PiError. */
export function keepAside(path: string, now: number): string {
  const base = `${path}.broken-${localDay(now)}`;
  let aside = base;
  for (let copy = 2; existsSync(aside); copy++) aside = `${base}-${copy}`;
  try {
    renameSync(path, aside);
  } catch (thrown) {
    throw fileFailure("move aside", path, thrown);
  }
  return aside;
}

function broughtToToday(usage: UsageFile, now: number): UsageFile {
  // One that would last longer than we ever reserve was made under a wrong clock.
  const reserved = usage.reserved.filter(
    ({ expires, owner }) => expires > now && expires <= now + 2 * RESERVATION_MS && lifeOf(owner) !== "dead",
  );
  if (usage.from !== undefined && usage.until !== undefined && usage.from <= now && now < usage.until)
    return { ...usage, reserved };
  const today = localDay(now);
  const { date, earlier, ...day } = usage;
  const counts = dayOf(day);
  // A clock (or a traveller) that goes back a day does not get that day's tokens a second time.
  if (date === today) return { ...usage, ...boundsOf(now), reserved };
  if (date > today && date <= localDay(now + AHEAD_MS)) return { ...usage, reserved };
  const days = { ...earlier, [date]: counts };
  const { [today]: known = dayOf({}), ...others } = days;
  const kept = Object.entries(others)
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .slice(0, MOST_EARLIER_DAYS);
  return { date: today, ...boundsOf(now), ...known, reserved, earlier: Object.fromEntries(kept) };
}

function emptyUsage(now: number): UsageFile {
  return { date: localDay(now), ...boundsOf(now), ...dayOf({}), reserved: [], earlier: {} };
}

/** The local midnights around a time. */
function boundsOf(now: number): { from: number; until: number } {
  const day = new Date(now);
  const midnight = (days: number) =>
    new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
  return { from: midnight(0), until: midnight(1) };
}

function parseUsage(text: string): UsageFile | null {
  let value: Partial<UsageFile> | null;
  try {
    value = JSON.parse(text) as Partial<UsageFile> | null;
  } catch {
    // broken: the caller keeps it aside
    return null;
  }
  if (typeof value !== "object" || value === null || !/^\d{4}-\d\d-\d\d$/.test(value.date ?? "")) return null;
  for (const count of [value.input_tokens, value.output_tokens, value.requests])
    if (count !== undefined && !isCount(count)) return null;
  const earlier = Object.entries(value.earlier ?? {}).map(([date, day]) => [date, dayOf(day ?? {})] as const);
  const reserved = Array.isArray(value.reserved) ? value.reserved.filter(isReservation) : [];
  const bounds =
    isCount(value.from) && isCount(value.until) && value.until - value.from < 2 * DAY_MS
      ? { from: value.from, until: value.until }
      : {};
  return {
    date: value.date as string,
    ...bounds,
    ...dayOf(value),
    reserved,
    earlier: Object.fromEntries(earlier),
  };
}

function dayOf(value: Partial<DayUsage>): DayUsage {
  const count = (number: unknown) => (isCount(number) ? number : 0);
  return {
    input_tokens: count(value.input_tokens),
    output_tokens: count(value.output_tokens),
    requests: count(value.requests),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

function isReservation(value: unknown): value is Reservation {
  const { id, tokens, owner, expires } = (value ?? {}) as Partial<Reservation>;
  return typeof id === "string" && isCount(tokens) && isCount(expires) && typeof owner?.pid === "number";
}
