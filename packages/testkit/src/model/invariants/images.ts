const SIGNATURES: Record<string, RegExp> = {
  "image/png": /^\x89PNG\r\n\x1a\n/,
  "image/jpeg": /^\xff\xd8\xff/,
  "image/gif": /^GIF8[79]a/,
  "image/webp": /^RIFF....WEBP/s,
};
/** Base64 characters of one image that the strictest service takes (5 MB). */
const LIMIT = 5 * 1024 * 1024;

/** What a service would find wrong with an image: its kind, its base64, its size, bytes that are of another kind. */
export function imageProblems(where: string, mimeType: string, data: string): string[] {
  const signature = SIGNATURES[mimeType];
  if (!signature) return [`${where}: the media type "${mimeType}" is not png, jpeg, gif or webp`];
  if (data === "" || data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data))
    return [`${where}: the image is not base64`];
  if (data.length > LIMIT)
    return [`${where}: image exceeds 5 MB maximum: ${data.length} bytes > ${LIMIT} bytes`];
  const head = Buffer.from(data.slice(0, 64), "base64").toString("latin1");
  return signature.test(head)
    ? []
    : [`${where}: the image does not match the provided media type ${mimeType}`];
}

/** The same for a `data:` URL; an https URL is taken as it is. */
export function imageUrlProblems(where: string, url: string): string[] {
  if (/^https?:\/\//.test(url)) return [];
  const match = /^data:([^;,]*);base64,(.*)$/s.exec(url);
  return match
    ? imageProblems(where, match[1] ?? "", match[2] ?? "")
    : [`${where}: "${url.slice(0, 40)}" is neither an https nor a base64 data URL`];
}
