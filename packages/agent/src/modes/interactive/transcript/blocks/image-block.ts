import { getCapabilities, getImageDimensions, Image } from "@earendil-works/pi-tui";
import type { ImagePart } from "../../../../contract/messages.ts";
import { safeLine } from "../../../shared/safe-text.ts";
import { Block, type DrawContext, type Extent } from "../document/block.ts";
import { clip, gutter, indent } from "../document/row.ts";

const MAX_CELLS = 60;
const MAX_ROWS = 16;

/** A picture, where the terminal can draw it; else a line with its type and size. */
export class ImageBlock extends Block {
  override readonly glued = true;
  readonly #part: ImagePart;
  #image: Image | undefined;

  constructor(part: ImagePart) {
    super();
    this.#part = part;
  }

  override source(): string {
    return "";
  }

  override release(): void {
    this.#image = undefined;
  }

  protected override draw(context: DrawContext): string[] {
    const cells = gutter(context.width);
    const { data, mimeType } = this.#part;
    const dimensions = sizeOf(this.#part);
    if (!this.#drawable(context) || !dimensions) {
      const pixels = dimensions ? `, ${dimensions.widthPx}×${dimensions.heightPx}` : "";
      const text = `[${safeLine(mimeType)}${pixels}, ${kilobytes(data)}]`;
      return indent([context.theme.color.muted(clip(text, context.width - cells))], cells);
    }
    this.#image ??= new Image(
      data,
      mimeType,
      { fallbackColor: context.theme.color.muted },
      { maxWidthCells: MAX_CELLS, maxHeightCells: MAX_ROWS },
      dimensions,
    );
    return indent(this.#image.render(context.width - cells), cells);
  }

  protected override extent(context: DrawContext): Extent {
    return { lines: this.#drawable(context) ? MAX_ROWS : 1, characters: 0 };
  }

  #drawable({ images, width }: DrawContext): boolean {
    const protocol = images ? getCapabilities().images : null;
    // Kitty takes PNG only.
    return (
      width >= 20 && (protocol === "iterm2" || (protocol === "kitty" && this.#part.mimeType === "image/png"))
    );
  }
}

function sizeOf(part: ImagePart) {
  try {
    return getImageDimensions(part.data, part.mimeType);
  } catch {
    return null;
  }
}

function kilobytes(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4);
  return bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_024).toFixed(1)} KB`;
}
