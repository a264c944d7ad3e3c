/** The form in which texts are compared: two statements that give the same are one. Stores key a hash of it. */
export function normalizedContent(scope: string, title: string, text: string): string {
  return `${scope}\n${normalized(title)}\n${normalized(text)}`;
}

function normalized(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}
