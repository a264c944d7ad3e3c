/** What a server wrote, on one line for a sentence of ours: without colours and control characters, whole characters, bounded. */
export function plainWords(text: string, most = 300): string {
  const plain = text
    // biome-ignore lint/complexity/useRegexLiterals: an escape character in a literal is not seen
    .replace(new RegExp("\\u001b\\[[0-9;?]*[A-Za-z]", "g"), "")
    .replace(/[\0-\x1f\x7f\ufffd]+/g, " ")
    .trim();
  return plain
    .slice(0, most)
    .toWellFormed()
    .replaceAll("\ufffd", "")
    .replace(/[.\s]+$/, "");
}
