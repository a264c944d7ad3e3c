const SECONDS_BELOW = 100_000_000_000;

/** A time as other programs write it (milliseconds, seconds, or text) in milliseconds; 0 for what is no time. */
export function writtenTime(value: unknown): number {
  if (typeof value === "number") return value < SECONDS_BELOW ? value * 1000 : value;
  const parsed = Date.parse(String(value));
  return Number.isNaN(parsed) ? 0 : parsed;
}
