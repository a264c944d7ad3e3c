import type { TuiAltScreen } from "@earendil-works/pi-tui";
import type { InteractiveHost } from "../../../contract/interactive.ts";
import type { DialogHost } from "../dialog/dialog-host.ts";
import type { ExtensionSlots } from "../extension-slots.ts";
import type { Keymap } from "../input/keymap.ts";
import type { PromptEditor } from "../input/prompt-editor.ts";
import type { WindowStatus } from "../notify/window-status.ts";
import type { StatusLine } from "../status/status-line.ts";
import type { WorkingLine } from "../status/working-line.ts";
import type { TerminalOwner } from "../terminal-owner.ts";
import type { ThemeController } from "../theme/themes.ts";
import type { Timers } from "../timers.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** The parts of the surface that extensions may draw into or change. */
export interface ExtensionPorts {
  readonly tui: TuiAltScreen;
  readonly host: Pick<InteractiveHost, "busy" | "status">;
  readonly themes: ThemeController;
  readonly keymap: () => Keymap;
  readonly dialogs: DialogHost;
  readonly editor: PromptEditor;
  readonly transcript: Pick<
    Transcript,
    "message" | "restyle" | "setThinkingLabel" | "toggleTools" | "toolsOpen"
  >;
  readonly slots: ExtensionSlots;
  readonly working: Pick<WorkingLine, "setHidden" | "setSpinner" | "setWords">;
  readonly status: Pick<StatusLine, "setWords" | "setReduced">;
  readonly window: Pick<WindowStatus, "setOther">;
  readonly owner: Pick<TerminalOwner, "give" | "take">;
  readonly timers: Timers;
  /** Draws a frame, with the layout that what is there now needs. */
  readonly changed: () => void;
  /** Shows a notice in the transcript. */
  readonly notice: (level: "info" | "warning" | "error", message: string) => void;
  /** Gives a text to the person's editor; null: it stays as it was. */
  readonly editExternally: (text: string) => Promise<string | null>;
}
