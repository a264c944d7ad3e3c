/** Colours and cursor moves of terminals: they mean nothing on a page. */
const TERMINAL = /\u001b\[[0-9;:?]{0,32}[A-Za-z]|\u001b\][^\u0007\u001b]{0,2000}(?:\u0007|\u001b\\)/g;
/** Control characters, and marks that make text read otherwise than it is written. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/g;
const SPECIAL = /[&<>"']/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Any text as HTML text or as a quoted attribute: nothing in it acts, and what hides in it is shown as an escape. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replace(TERMINAL, "")
    .replace(HIDDEN, (character) => `\\u{${character.charCodeAt(0).toString(16).padStart(4, "0")}}`)
    .replace(SPECIAL, (character) => ENTITIES[character]!);
}

/** The address of a link, if it leads to a web page and nowhere else. */
export function webAddress(href: string): string | null {
  const given = href.trim();
  if (!/^https?:\/\//i.test(given)) return null;
  try {
    const url = new URL(given);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
  } catch {
    // not an address at all
    return null;
  }
}
