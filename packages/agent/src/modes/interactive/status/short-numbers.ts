/** A count in at most five characters: `950`, `1.2k`, `200k`, `1.5M`. */
export function shortCount(count: number): string {
  const value = Math.max(0, Math.round(count));
  if (value < 1_000) return String(value);
  const [scaled, unit] = value < 999_500 ? [value / 1_000, "k"] : [value / 1_000_000, "M"];
  return `${scaled < 99.95 ? scaled.toFixed(1).replace(/\.0$/, "") : Math.round(scaled)}${unit}`;
}

/** US dollars: cents from a cent on, `<$0.01` below, whole dollars from 100 on. */
export function shortDollars(dollars: number): string {
  if (dollars <= 0) return "$0.00";
  if (dollars < 0.01) return "<$0.01";
  return `$${dollars < 100 ? dollars.toFixed(2) : Math.round(dollars)}`;
}

/** Milliseconds as `7s`, `1m 05s`, `2h 03m`. */
export function shortDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const two = (value: number) => String(value).padStart(2, "0");
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3_600)}h ${two(Math.floor((seconds % 3_600) / 60))}m`;
}
