import { usageError } from "../cli-error.ts";

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A time that a person wrote: `2026-11-30` (its first moment, where the user lives), ISO 8601, or so long ago: `12h`, `30d`, `4w`. */
export function parseTime(text: string, option: string, now: number): number {
  const ago = /^(\d{1,6})([hdw])$/.exec(text);
  if (ago !== null) return now - Number(ago[1]) * UNITS[ago[2]!]!;
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  const time =
    date === null
      ? /^\d{4}-\d{2}-\d{2}T/.test(text)
        ? Date.parse(text)
        : Number.NaN
      : localDay(Number(date[1]), Number(date[2]), Number(date[3]));
  if (Number.isNaN(time))
    throw usageError(
      `--${option} ${JSON.stringify(text)} is no time`,
      "write 2026-11-30, 2026-11-30T09:00:00Z, or how long ago: 12h, 30d, 4w",
    );
  return time;
}

function localDay(year: number, month: number, day: number): number {
  const time = new Date(year, month - 1, day);
  return time.getMonth() === month - 1 && time.getDate() === day ? time.getTime() : Number.NaN;
}
