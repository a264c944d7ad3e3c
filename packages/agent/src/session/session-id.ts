import { randomWord } from "../platform/random.ts";

/** A session's id: 8 characters of time (milliseconds, base 36), then 4 by chance. Sorts by time until the year 2059. */
export function newSessionId(now: number): string {
  return recordId(now) + randomWord(4);
}

/** A record's id: its time, which is unique in a session, since record times strictly increase. */
export function recordId(time: number): string {
  return Math.max(0, Math.trunc(time)).toString(36).padStart(8, "0");
}

const [FIRST_YEAR, LAST_YEAR] = [Date.UTC(2000, 0), Date.UTC(2100, 0)];

/** The time in a record's id, in milliseconds since 1970; null for an id that another program made. */
export function recordTime(id: string): number | null {
  if (!/^[0-9a-z]{8}$/.test(id)) return null;
  const time = Number.parseInt(id, 36);
  return time >= FIRST_YEAR && time < LAST_YEAR ? time : null;
}

/** True for what can be a session's folder name, and nothing that leads elsewhere. */
export function isSessionName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(name);
}
