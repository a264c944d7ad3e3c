import type { ImagePart } from "./messages.ts";

/** Anthropic refuses an image with more base64 characters than this (5 MB); the others take more. */
export const MOST_IMAGE_BASE64 = 5 * 1024 * 1024;
/** Anthropic refuses an image with a longer side, in pixels. */
export const MOST_IMAGE_SIDE = 8000;

/** First bytes, as Latin-1 text, of the images that services take. */
const STARTS: readonly [type: string, start: RegExp][] = [
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF.{4}WEBP/s],
];

/**
 * An image in the form that every service takes, its type told by its own bytes, whatever it was called; or, in words, why none takes
 * it. One that is sent all the same is refused with the whole request, and with every later one of the conversation that holds it.
 */
export function sendableImage({ data }: ImagePart): { image: ImagePart } | { fault: string } {
  const bare = data
    .replace(/^data:[^,]*;base64,/, "")
    .replace(/\s+/g, "")
    .replace(/=+$/, "");
  if (bare === "" || bare.length % 4 === 1 || !/^[A-Za-z0-9+/]+$/.test(bare))
    return { fault: "its data are no base64" };
  const whole = bare.padEnd(Math.ceil(bare.length / 4) * 4, "=");
  if (whole.length > MOST_IMAGE_BASE64) return { fault: "it has more than 5 MB in base64" };
  const bytes = Buffer.from(whole, "base64");
  const start = bytes.toString("latin1", 0, 16);
  const mimeType = STARTS.find(([, pattern]) => pattern.test(start))?.[0];
  if (mimeType === undefined) return { fault: "it is no PNG, JPEG, GIF or WebP" };
  const size = imageSize(bytes, mimeType);
  if (size === null) return { fault: "its header is broken" };
  if (Math.max(size.width, size.height) > MOST_IMAGE_SIDE)
    return { fault: `a side has more than ${MOST_IMAGE_SIDE} pixels` };
  return { image: { type: "image", mimeType, data: whole } };
}

/** Width and height of an image in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/**
 * The size that a PNG, JPEG, GIF or WebP says it has, or null when its header is broken: such a file must not be sent, since
 * services refuse the whole request, and every later one that holds it.
 */
export function imageSize(bytes: Uint8Array, mimeType: string): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    const size = READERS[mimeType]?.(view) ?? null;
    return size && size.width > 0 && size.height > 0 ? size : null;
  } catch {
    // Shorter than its header.
    return null;
  }
}

const READERS: Record<string, (view: DataView) => ImageSize | null> = {
  "image/png": (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  "image/gif": (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  "image/jpeg": jpegSize,
  "image/webp": webpSize,
};

function jpegSize(view: DataView): ImageSize | null {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // Start of frame, all kinds but the three that are tables (ITU T.81, table B.1).
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (frame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

function webpSize(view: DataView): ImageSize | null {
  const chunk = String.fromCharCode(...[12, 13, 14, 15].map((at) => view.getUint8(at)));
  const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  if (chunk === "VP8X") return { width: uint24(24) + 1, height: uint24(27) + 1 };
  if (chunk === "VP8 ")
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (chunk !== "VP8L") return null;
  const bits = view.getUint32(21, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}
