/** What a streamed text starts and ends with, so that it can be found on the screen; a name belongs to one stream. */
export const beginOf = (name: string): string => `BEGIN-OF-${name}`;
export const endOf = (name: string): string => `END-OF-${name}`;

const SECTION = `## A section of an answer

The build fails because \`parse\` gives **null** for an empty file, and the caller takes its length. Two places have to change; the
tests cover one of them, 日本語のファイル名 and emoji 🎉 included.

- the reader, which has to tell an empty file from a missing one
- the caller, which has to say what it does with it
  1. first look
  2. then leap

\`\`\`ts
export function lengthOf(text: string | null): number {
  if (text === null) return 0; // nothing was there
  return text.length;
}
\`\`\`

| file | lines | state |
|---|---|---|
| reader.ts | 120 | changed |
| caller.ts | 48 | as before |

> A test that would pass without the change is not a test.

`;

/** Markdown as models write it, of exactly so many characters, from {@link beginOf} to {@link endOf}. */
export function markdownText(name: string, characters: number): string {
  const opening = `${beginOf(name)}\n\n`;
  const closing = `\n\n${endOf(name)}`;
  const length = Math.max(0, characters - opening.length - closing.length);
  return opening + SECTION.repeat(Math.ceil(length / SECTION.length)).slice(0, length) + closing;
}
