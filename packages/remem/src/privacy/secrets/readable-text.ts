const START = /^[A-Za-z0-9+/_-]{4}/;
const READABLE = /^[\t\n\r\x20-\x7e]+$/;

/** The text that a token is the base64 of; null when it is none, or too short to tell. */
export function readableText(token: string): string | null {
  // The first four give three bytes: most tokens that are no text end here.
  const start = START.exec(token)?.[0];
  if (start === undefined || !READABLE.test(fromBase64(start))) return null;
  const decoded = fromBase64(token);
  return decoded.length >= 16 && READABLE.test(decoded) ? decoded : null;
}

function fromBase64(token: string): string {
  const plain = token.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  try {
    return atob(plain);
  } catch {
    // not base64: five characters over a group of four, for one
    return "";
  }
}
