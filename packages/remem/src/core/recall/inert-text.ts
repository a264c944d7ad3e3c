/** Controls but tab and line feed, marks that reorder or hide text, and the letters of the invisible tag alphabet. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** Text that can close no frame and hide nothing: markup signs escaped, invisible characters gone, lone surrogates replaced. */
export function inertText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replace(HIDDEN, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
