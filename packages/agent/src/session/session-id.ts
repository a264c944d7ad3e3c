import { randomWord } from "../platform/random.ts";

/** A session's id: 8 characters of time (milliseconds, base 36), then 4 by chance. Sorts by time until the year 2059. */
export function newSessionId(now: number): string {
  return recordId(now) + randomWord(4);
}

/** A record's id: its time, which is unique in a session, since record times strictly increase. */
export function recordId(time: number): string {
  return Math.max(0, Math.trunc(time)).toString(36).padStart(8, "0");
}

/** True for what can be a session's folder name, and nothing that leads elsewhere. */
export function isSessionName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(name);
}
