import { PiError } from "../../contract/errors.ts";
import { sendableImage } from "../../contract/images.ts";
import type { ImagePart } from "../../contract/messages.ts";
import { childEnvironment } from "../../platform/child-environment.ts";
import { magicType } from "../../tools/shared/magic.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A clipboard program that hangs (a dead display) must not hold us. Milliseconds. */
const PATIENCE_MS = 5_000;
const MOST_BYTES = 20 * 1024 * 1024;

/** Programs that take text for the clipboard on stdin, by what is there to run them. */
function writers(environment: Environment): string[][] {
  if (process.platform === "darwin") return [["pbcopy"]];
  if (process.platform === "win32") return [["clip"]];
  return [
    ...(environment["WAYLAND_DISPLAY"] ? [["wl-copy"]] : []),
    ...(environment["DISPLAY"]
      ? [
          ["xclip", "-selection", "clipboard"],
          ["xsel", "--clipboard", "--input"],
        ]
      : []),
    ...(environment["WSL_DISTRO_NAME"] ? [["clip.exe"]] : []),
  ];
}

/** Programs that write the clipboard's image to stdout. */
function imageReaders(environment: Environment): string[][] {
  if (process.platform === "darwin") return [["pngpaste", "-"]];
  if (process.platform === "win32")
    return [
      [
        "powershell",
        "-NoProfile",
        "-Command",
        "$i = Get-Clipboard -Format Image; if ($i) { $s = New-Object IO.MemoryStream; $i.Save($s, 'png'); $o = [Console]::OpenStandardOutput(); $b = $s.ToArray(); $o.Write($b, 0, $b.Length) }",
      ],
    ];
  return [
    ...(environment["WAYLAND_DISPLAY"] ? [["wl-paste", "--no-newline", "--type", "image/png"]] : []),
    ...(environment["DISPLAY"] ? [["xclip", "-selection", "clipboard", "-target", "image/png", "-out"]] : []),
  ];
}

/** Puts text on the system's clipboard; false when no program for it is there or works. Never rejects. */
export async function writeClipboard(text: string, environment: Environment): Promise<boolean> {
  for (const argv of writers(environment)) if (await take(argv, text, environment)) return true;
  return false;
}

/** The image on the clipboard, or null when there is none or no program to ask. Rejects with a PiError for one that no service takes. */
export async function readClipboardImage(
  environment: Environment,
  signal: AbortSignal,
): Promise<ImagePart | null> {
  for (const argv of imageReaders(environment)) {
    const bytes = await give(argv, environment, signal);
    const mimeType = bytes === null ? undefined : magicType(bytes)?.mimeType;
    if (bytes === null || mimeType === undefined) continue;
    const found = sendableImage({ type: "image", mimeType, data: Buffer.from(bytes).toString("base64") });
    if ("image" in found) return found.image;
    throw new PiError({
      code: "image_unusable",
      message: `its image cannot be sent to a model: ${found.fault}`,
      hint: "Copy a smaller part of it.",
    });
  }
  return null;
}

async function take(argv: string[], text: string, environment: Environment): Promise<boolean> {
  try {
    // A clipboard of X lives as long as its program, which stays behind on purpose: nothing of it may hold our streams.
    const child = Bun.spawn(argv, {
      env: childEnvironment(environment),
      stdin: Buffer.from(text),
      stdout: "ignore",
      stderr: "ignore",
      timeout: PATIENCE_MS,
    });
    return (await child.exited) === 0;
  } catch {
    return false; // not installed
  }
}

async function give(
  argv: string[],
  environment: Environment,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  try {
    const child = Bun.spawn(argv, {
      env: childEnvironment(environment),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: PATIENCE_MS,
      maxBuffer: MOST_BYTES,
      signal,
    });
    const bytes = await new Response(child.stdout).bytes();
    return (await child.exited) === 0 && bytes.length > 0 ? bytes : null;
  } catch {
    return null; // not installed, or the clipboard holds no image
  }
}
