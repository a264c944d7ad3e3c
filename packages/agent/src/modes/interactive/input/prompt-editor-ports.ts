/** What the prompt editor needs of the surface around it. */
import type { AutocompleteProvider } from "@earendil-works/pi-tui";
import type { PromptInput } from "../../../contract/interactive.ts";
import type { ImagePart } from "../../../contract/messages.ts";
import type { ThemeSource } from "../theme/theme.ts";
import type { AppAction } from "./actions.ts";
import type { CompletionPorts } from "./completion.ts";
import type { Keymap } from "./keymap.ts";
import type { PromptKind } from "./prompt-kind.ts";
import type { VimMode } from "./vim/vim-keys.ts";

/** What was sent. */
export interface PromptSubmission {
  /** Trimmed, long pastes in full, images in the order of their markers. Never without both text and image. */
  input: PromptInput;
  /** How it goes in while a run is in progress. */
  how: "steer" | "follow_up";
  /** From what stood in the editor: the hidden inside of a long paste never makes a command. */
  kind: PromptKind;
}

/** What completes a prompt. */
export interface PromptProvider extends AutocompleteProvider {
  /** The menu that it offered last is not of the prompt's own completions. */
  readonly foreign?: boolean;
}

export interface PromptEditorNotice {
  level: "info" | "warning" | "error";
  message: string;
  hint?: string;
}

export interface PromptEditorPorts extends CompletionPorts {
  theme: ThemeSource;
  keymap: Keymap;
  /** Whether a run is in progress. */
  busy(): boolean;
  /** Earlier prompts, the latest last. Asked for when they are looked at. */
  history(): readonly string[];
  onSubmit(submission: PromptSubmission): void;
  /** An action that is not the editor's own. False: the key has no meaning now and goes to the editor. */
  onAction(action: AppAction): boolean;
  notice(notice: PromptEditorNotice): void;
  /** Takes a key before the prompt does: true when it did. */
  shortcut?(data: string): boolean;
  /** The kind of what is typed changed (`!` was typed). */
  onKind?(kind: PromptKind): void;
  onVimMode?(mode: VimMode): void;
  /** The image on the clipboard, or null. */
  readClipboardImage?(): Promise<ImagePart | null>;
  /** The image in a file, or null when there is none. `path` may begin with `~/`. */
  readImageFile?(path: string): Promise<ImagePart | null>;
  /** Gives the draft to an external editor; null: it stays as it was. Tells itself what went wrong. */
  editExternally?(draft: string): Promise<string | null>;
}
