import { createRedactor } from "../platform/redact.ts";

const MOST_CHARACTERS = 200;
/** A title comes from the beginning of a prompt; no more of it is looked at. */
const MOST_READ = 10_000;

/**
 * A session's title from its first prompt: the first line that says something, at most 200 characters, well-formed, without
 * secrets (titles are listed and shown).
 */
export function titleFrom(prompt: string): string | undefined {
  const line = createRedactor()
    .text(prompt.slice(0, MOST_READ).toWellFormed())
    .split(/[\r\n\u0085\u2028\u2029]/)
    .map((text) => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ").trim())
    .find((text) => text !== "");
  if (line === undefined) return undefined;
  if (line.length <= MOST_CHARACTERS) return line;
  // One place for the ellipsis; a pair that the cut would split goes whole.
  const cut = line.slice(0, MOST_CHARACTERS - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
