/** The local day of a time (milliseconds since 1970) as YYYY-MM-DD. */
export function localDay(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
