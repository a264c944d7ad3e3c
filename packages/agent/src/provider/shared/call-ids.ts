import type { Message } from "../../contract/messages.ts";

/** What every wire takes as the id of a tool call. */
const TAKEN_EVERYWHERE = /^[a-zA-Z0-9_-]{1,40}$/;

/** Gives the calls of one answer ids that are unique in the conversation and valid on every wire. */
export interface CallIds {
  /**
   * The service's own id where it is usable and new, else one made from `seed`: the same answer to the same history gets
   * the same ids. `original` is null or absent where the service sent none.
   */
  take(original: string | null | undefined, seed: string): string;
}

/** `history` is the request's messages; ids in it are never given again. */
export function callIds(history: readonly Message[]): CallIds {
  const used = new Set<string>();
  for (const message of history) {
    if (message.role === "assistant")
      for (const part of message.parts) if (part.type === "tool_call") used.add(part.id);
  }
  // The last message may hold megabytes of an image: it is read at most once.
  let place: string | undefined;
  const made = (seed: string) => {
    place ??= hash(`${history.length}:${JSON.stringify(history.at(-1) ?? null)}`);
    return `call_${hash(`${place}\n${seed}`)}`;
  };
  return {
    take(original, seed) {
      let id = original && original !== "null" && TAKEN_EVERYWHERE.test(original) ? original : made(seed);
      for (let again = 1; used.has(id); again += 1) id = made(`${seed}\n${again}`);
      used.add(id);
      return id;
    },
  };
}

/** 64 bits of FNV-1a as 13 letters and digits; chance alone must not repeat an id, no secret hangs on it. */
function hash(text: string): string {
  let low = 0x811c9dc5;
  let high = 0xcbf29ce4;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit ^ (low >>> 13), 0x01000193);
  }
  return (BigInt(low >>> 0) | (BigInt(high >>> 0) << 32n)).toString(36).padStart(13, "0");
}
