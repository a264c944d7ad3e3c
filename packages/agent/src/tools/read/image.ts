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
