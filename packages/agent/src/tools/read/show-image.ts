import type { FileHandle } from "../../contract/files.ts";
import { imageSize, MOST_IMAGE_SIDE } from "../../contract/images.ts";
import type { ModelInfo } from "../../contract/model.ts";
import type { ToolOutcome } from "../../contract/tool.ts";
import { found, notLooked } from "../shared/outcome.ts";
import { humanSize } from "../shared/truncate.ts";

/** Anthropic refuses an image whose base64 is over 5 MB (5,242,880); three bytes become four. The others take more. */
const MAX_IMAGE_BYTES = 3_900_000;

/** An image for the model to see, or words about it where the model or a service would not take it. */
export function showImage(file: FileHandle, type: string, mimeType: string, model: ModelInfo): ToolOutcome {
  const size = file.stat.size;
  const details = { path: file.path, size, mime_type: mimeType };
  const bytes = size <= MAX_IMAGE_BYTES ? file.read(0, size) : file.read(0, 64 * 1024);
  const pixels = imageSize(bytes, mimeType);
  const shape = pixels ? `, ${pixels.width}x${pixels.height}` : "";
  const name = `${file.path}: ${type}${shape}, ${humanSize(size)}`;
  if (!model.images) return notLooked(`${name}. Not shown: ${model.id} takes no images.`, details);
  if (size > MAX_IMAGE_BYTES)
    return notLooked(
      `${name}. Not shown: more than ${humanSize(MAX_IMAGE_BYTES)}. Make a smaller copy.`,
      details,
    );
  if (!pixels) return notLooked(`${name}. Not shown: its header is broken.`, details);
  if (pixels.width > MOST_IMAGE_SIDE || pixels.height > MOST_IMAGE_SIDE)
    return notLooked(
      `${name}. Not shown: a side has more than ${MOST_IMAGE_SIDE} pixels. Make a smaller copy.`,
      details,
    );
  const data = Buffer.from(bytes).toString("base64");
  return found(name, { ...details, ...pixels }, [{ type: "image", mimeType, data }]);
}
