/** PostgreSQL's texts cannot hold the character of number 0; its picture stands for it. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\u2400");
}
