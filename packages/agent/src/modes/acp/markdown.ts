/** Editors draw titles and contents as Markdown: what we did not write must stay what it is. */

/** A block in a fence that is longer than any run of backticks in the text. */
export function fencedBlock(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestTicks(text) + 1));
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

/** Code within a line; line breaks become spaces. */
export function inlineCode(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const ticks = "`".repeat(longestTicks(line) + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

function longestTicks(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
