/** Brings images into the prompt: from the clipboard, and from files that were dropped on the terminal. */
import { errorMessage } from "../../../contract/errors.ts";
import type { ImagePart } from "../../../contract/messages.ts";
import type { Attachments } from "./attachments.ts";
import type { EditorInternals } from "./editor-internals.ts";
import { imagePathsIn } from "./image-paths.ts";
import type { PromptEditorPorts } from "./prompt-editor-ports.ts";

export class ImageIntake {
  readonly #inner: EditorInternals;
  readonly #attachments: Attachments;
  readonly #ports: PromptEditorPorts;
  readonly #changed: () => void;

  constructor(
    inner: EditorInternals,
    attachments: Attachments,
    ports: PromptEditorPorts,
    changed: () => void,
  ) {
    this.#inner = inner;
    this.#attachments = attachments;
    this.#ports = ports;
    this.#changed = changed;
  }

  /** Puts the clipboard's image at the cursor as soon as it was read. */
  pasteFromClipboard(): void {
    const read = this.#ports.readClipboardImage;
    if (read) void this.#fromClipboard(read);
    else this.#none("Images cannot be pasted here", "Drop an image file on the terminal, or paste its path.");
  }

  async #fromClipboard(read: () => Promise<ImagePart | null>): Promise<void> {
    try {
      const image = await read();
      if (image === null) {
        this.#none(
          "There is no image on the clipboard",
          "Copy an image, or paste the path of an image file.",
        );
        return;
      }
      this.#inner.cancelAutocomplete();
      this.#inner.exitHistoryBrowsing();
      this.#inner.pushUndoSnapshot();
      this.#inner.lastAction = null;
      this.#inner.insertTextAtCursorInternal(this.#attachments.add(image));
      this.#changed();
    } catch (thrown) {
      this.#none(
        `The clipboard could not be read: ${errorMessage(thrown)}`,
        "Paste the path of an image file.",
      );
    }
  }

  /** Where `text`, which was just inserted, is nothing but image paths: each becomes an image once its file was read. */
  attachPaths(text: string): void {
    const read = this.#ports.readImageFile;
    if (read) for (const { raw, path } of imagePathsIn(text)) void this.#attach(read, raw, path);
  }

  async #attach(read: (path: string) => Promise<ImagePart | null>, raw: string, path: string): Promise<void> {
    try {
      const image = await read(path);
      if (image !== null) this.#replace(raw, image);
    } catch (thrown) {
      this.#none(
        `${path} could not be read as an image: ${errorMessage(thrown)}`,
        "The path is sent as text.",
      );
    }
  }

  /** The person may have typed on meanwhile; a path that is gone stays gone. */
  #replace(raw: string, image: ImagePart): void {
    const { state } = this.#inner;
    const row = state.lines.findLastIndex((line) => line.includes(raw));
    if (row === -1) return;
    const line = state.lines[row]!;
    const at = line.lastIndexOf(raw);
    const marker = this.#attachments.add(image);
    this.#inner.pushUndoSnapshot();
    this.#inner.lastAction = null;
    state.lines[row] = line.slice(0, at) + marker + line.slice(at + raw.length);
    if (state.cursorLine === row && state.cursorCol > at) {
      const inside = state.cursorCol < at + raw.length;
      this.#inner.setCursorCol(inside ? at + marker.length : state.cursorCol + marker.length - raw.length);
    }
    this.#changed();
  }

  #none(message: string, hint: string): void {
    this.#ports.notice({ level: "warning", message, hint });
  }
}
