import { open } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { PiError } from "../../contract/errors.ts";
import type { ImagePart } from "../../contract/messages.ts";
import { magicType } from "../../tools/shared/magic.ts";

/** Services take images up to about this size; larger ones would fail the whole request. Bytes. */
const MOST_BYTES = 5 * 1024 * 1024;

/** The image in a file that a person dropped or named; null when there is no such file or it is no image. Throws a PiError for one that is too large. */
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
      throw new PiError({
        code: "image_too_large",
        message: `${path} is ${(stat.size / 1024 / 1024).toFixed(1)} MB; models take images up to ${MOST_BYTES / 1024 / 1024} MB`,
        hint: "Make it smaller first.",
      });
    return { type: "image", mimeType, data: (await file.readFile()).toString("base64") };
  } finally {
    await file.close();
  }
}
