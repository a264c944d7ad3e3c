/** How numbers, times and long texts look in the results of commands. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A count with thousands separators, the same in every locale. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** A count with its noun: `1 message`, `2,000 messages`. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** US dollars: cents from one cent on, else four digits. */
export function dollars(value: number): string {
  return `$${value.toFixed(value === 0 || value >= 0.01 ? 2 : 4)}`;
}

/** A whole percentage; what is there but rounds to nothing is `<1 %`. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  return rounded === 0 && share > 0 ? "<1 %" : `${rounded} %`;
}

/** How long ago `then` was, both in milliseconds since 1970; a date from 30 days on. */
export function age(then: number, now: number): string {
  const passed = now - then;
  if (passed < MINUTE) return "just now";
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`;
  if (passed < 30 * DAY) return `${counted(Math.floor(passed / DAY), "day")} ago`;
  return moment(then).slice(0, 10);
}

/** A time (milliseconds since 1970) as the local `YYYY-MM-DD HH:MM`. */
export function moment(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** A text on one line, at most `most` characters with the ellipsis. */
export function oneLine(text: string, most: number): string {
  // no more of a huge text is looked at than can be shown
  const characters = [
    ...text
      .slice(0, most * 8)
      .replaceAll(/\s+/g, " ")
      .trim(),
  ];
  return characters.length <= most ? characters.join("") : `${characters.slice(0, most - 1).join("")}…`;
}

/** A bar of `width` cells for a share of 0 to 1; what is there at all shows as one cell. */
export function bar(share: number, width: number): string {
  const whole = Math.round(Math.min(1, Math.max(0, share)) * width);
  const filled = share > 0 ? Math.max(1, whole) : 0;
  return "█".repeat(filled) + "░".repeat(width - filled);
}
