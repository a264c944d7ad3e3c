import type { ImagePart } from "../../contract/messages.ts";

/** What the surface needs of the machine. It starts no process and opens no file itself. */
export interface SurfaceDoors {
  /** Environment variables of the program, for what a terminal says about itself (`TERM`, `COLORTERM`, `NO_COLOR`, …). */
  environment: Readonly<Record<string, string | undefined>>;
  /** Theme files of the user's, with their texts; an unreadable one comes with its problem. */
  readThemeFiles(): Promise<readonly { path: string; text: string }[]>;
  /** An image on the clipboard, or null. Rejects with a PiError when the clipboard cannot be read. */
  readClipboardImage(signal: AbortSignal): Promise<ImagePart | null>;
  /** The image in a file that was dropped or pasted as a path; null when it is none. Rejects with a PiError when it cannot be read. */
  readImageFile(path: string): Promise<ImagePart | null>;
  /** Runs the person's editor on a file, with the terminal as its own. Rejects when it cannot be started. */
  runEditor(argv: readonly string[], file: string): Promise<{ code: number | null }>;
  /** Puts text on the system's clipboard; false when there is no way to. */
  writeClipboard(text: string): Promise<boolean>;
  /** Opens a link in the person's browser. */
  openLink(url: string): void;
  /** Hears of every change of the window's size, also of one that was taken back at once; the result ends it. */
  onResize(listener: () => void): () => void;
  /** Stops this process as Ctrl+Z does in a shell; resolves when it goes on. */
  suspend(): Promise<void>;
}
