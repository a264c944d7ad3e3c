/** Controls but tab and line feed, and everything that is invisible or reorders what is seen. */
const HIDDEN = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\t\n]]/gv;

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
