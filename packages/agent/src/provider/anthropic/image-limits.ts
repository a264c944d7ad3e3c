/** What the service demands of the images of one request, beyond what holds for each; see docs.anthropic.com, vision, limits. */
import { type ImageSize, imageSize } from "../../contract/images.ts";
import type { ImagePart, Message } from "../../contract/messages.ts";

/** With more images than this none may have a longer side than {@link LONGEST_SIDE_OF_MANY} pixels. */
const FEW = 20;
const LONGEST_SIDE_OF_MANY = 2_000;
const MOST = 100;
/** Of models with a window of a million tokens. */
const MOST_OF_LARGE = 600;
const LARGE_WINDOW = 500_000;
/** So many go at once, the oldest first: one at a time would change the history, and its caches, with every new image. */
const AT_ONCE = 20;

const sizes = new WeakMap<ImagePart, { size: ImageSize | null }>();

/** The images of these messages that a request must not hold, with what stands in their place: it would be refused whole, as would all after it. */
export function imagesLeftOut(
  messages: readonly Message[],
  contextWindow: number,
): ReadonlyMap<ImagePart, string> {
  const left = new Map<ImagePart, string>();
  const all = messages.flatMap(imagesOf);
  if (all.length <= FEW) return left;
  const most = contextWindow > LARGE_WINDOW ? MOST_OF_LARGE : MOST;
  const over = Math.ceil(Math.max(0, all.length - most) / AT_ONCE) * AT_ONCE;
  for (const image of all.slice(0, over))
    left.set(image, `[image left out: a request holds ${most} at most, and later ones came]`);
  const kept = all.slice(over);
  if (kept.length <= FEW) return left;
  for (const image of kept) {
    const size = sizeOf(image);
    if (size === null || Math.max(size.width, size.height) <= LONGEST_SIDE_OF_MANY) continue;
    const words = `in a request with more than ${FEW} none may have a side of more than ${LONGEST_SIDE_OF_MANY} pixels, and this one has ${size.width} x ${size.height}`;
    left.set(image, `[image left out: ${words}]`);
  }
  return left;
}

function imagesOf(message: Message): ImagePart[] {
  if (message.role === "assistant") return [];
  const parts = message.role === "tool" ? message.parts.flatMap(({ content }) => content) : message.parts;
  return parts.filter((part) => part.type === "image");
}

function sizeOf(image: ImagePart): ImageSize | null {
  let known = sizes.get(image);
  if (known === undefined) {
    known = { size: imageSize(Buffer.from(image.data, "base64"), image.mimeType) };
    sizes.set(image, known);
  }
  return known.size;
}
