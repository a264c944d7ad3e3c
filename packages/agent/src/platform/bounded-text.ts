/** The text of a body up to `maxBytes`; what comes after is not read. Throws what the connection throws. */
export async function boundedText(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let left = maxBytes;
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes.subarray(0, left), { stream: true });
    left -= bytes.length;
    if (left <= 0) break;
  }
  return text + decoder.decode();
}
