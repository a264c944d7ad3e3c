import { open } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { PiError } from "../../contract/errors.ts";
import { MOST_IMAGE_BASE64, sendableImage } from "../../contract/images.ts";
import type { ImagePart } from "../../contract/messages.ts";
import { magicType } from "../../tools/shared/magic.ts";

/** No larger one is read: three bytes become four of base64. */
const MOST_BYTES = (MOST_IMAGE_BASE64 / 4) * 3;

/** The image in a file that a person dropped or named; null when there is no such file or it is no image. Throws a PiError for one that no service takes. */
export async function readImageFile(path: string, cwd: string): Promise<ImagePart | null> {
  const named = path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
  const full = isAbsolute(named) ? named : join(cwd, named);
  const file = await open(full, "r").catch(() => null);
  if (file === null) return null;
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return null;
    const head = new Uint8Array(512);
    await file.read(head, 0, head.length, 0);
    const mimeType = magicType(head)?.mimeType;
    if (mimeType === undefined) return null;
    if (stat.size > MOST_BYTES)
      throw unusable(
        path,
        `it has ${(stat.size / 1024 / 1024).toFixed(1)} MB, and services take less than 4`,
      );
    const found = sendableImage({
      type: "image",
      mimeType,
      data: (await file.readFile()).toString("base64"),
    });
    if ("fault" in found) throw unusable(path, found.fault);
    return found.image;
  } finally {
    await file.close();
  }
}

function unusable(path: string, why: string): PiError {
  return new PiError({
    code: "image_unusable",
    message: `${path} cannot be sent to a model: ${why}`,
    hint: "Make a smaller copy, or save it anew.",
  });
}
