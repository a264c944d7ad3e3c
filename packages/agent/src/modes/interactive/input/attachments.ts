/** Images of the prompt that is being written: each stands in the text as a marker, which is one unit for the cursor. */
import { getImageDimensions } from "@earendil-works/pi-tui";
import type { ImagePart } from "../../../contract/messages.ts";

const MARKER = /\[Image #\d+ [^[\]\n]*\]/g;

export class Attachments {
  readonly #byMarker = new Map<string, ImagePart>();

  /** Takes an image in; the result is its marker, which has to go into the text. */
  add(image: ImagePart): string {
    const marker = `[Image #${this.#byMarker.size + 1} ${describe(image)}]`;
    this.#byMarker.set(marker, image);
    return marker;
  }

  has(marker: string): boolean {
    return this.#byMarker.has(marker);
  }

  get any(): boolean {
    return this.#byMarker.size > 0;
  }

  /** Start and end of every marker of ours in a text. */
  spans(text: string): { start: number; end: number }[] {
    if (!this.any) return [];
    return [...text.matchAll(MARKER)]
      .filter((match) => this.has(match[0]))
      .map((match) => ({ start: match.index, end: match.index + match[0].length }));
  }

  /** A text that is sent, its markers numbered as its images are, and those images; each once, however often its marker stands there. */
  numbered(text: string): { text: string; images: ImagePart[] } {
    const order = [...new Set(this.spans(text).map(({ start, end }) => text.slice(start, end)))];
    const renamed = text.replace(MARKER, (marker) => {
      const index = order.indexOf(marker);
      return index === -1 ? marker : marker.replace(/#\d+/, `#${index + 1}`);
    });
    return { text: renamed, images: order.map((marker) => this.#byMarker.get(marker)!) };
  }

  /** The text without our markers, for a history that has no images. */
  without(text: string): string {
    if (!this.any) return text;
    return text.replace(MARKER, (marker) => (this.has(marker) ? "" : marker)).trim();
  }

  /** Forgets all of them. Their markers are plain text from then on. */
  clear(): void {
    this.#byMarker.clear();
  }
}

function describe(image: ImagePart): string {
  const format = image.mimeType
    .replace(/^image\//, "")
    .toUpperCase()
    .replace(/[^A-Z0-9+.-]/g, "");
  const size = getImageDimensions(image.data, image.mimeType);
  return size === null ? format : `${format} ${size.widthPx}x${size.heightPx}`;
}
