import type { SurfaceDoors } from "./doors.ts";
import { editInExternalEditor } from "./input/external-editor.ts";
import type { PromptEditorNotice } from "./input/prompt-editor-ports.ts";
import type { TerminalOwner } from "./terminal-owner.ts";

/** Gives a text to the person's own editor, which has the terminal meanwhile; null: it stays as it was. */
export function externalEditor(
  doors: SurfaceDoors,
  owner: TerminalOwner,
  notice: (notice: PromptEditorNotice) => void,
): (text: string) => Promise<string | null> {
  return (text) =>
    editInExternalEditor(text, {
      environment: doors.environment,
      platform: process.platform,
      runEditor: (argv, file) => doors.runEditor(argv, file),
      lendTerminal: (run) => owner.away(run),
      notice,
    });
}
