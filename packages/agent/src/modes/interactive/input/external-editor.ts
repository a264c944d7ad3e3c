/** Writes the prompt in the user's own editor. */
import type { TUI } from "@earendil-works/pi-tui";
import { errorMessage, isPiError } from "../../../contract/errors.ts";
import { withPrivateTempFile } from "../../../platform/private-temp-file.ts";
import type { PromptEditorNotice } from "./prompt-editor-ports.ts";

export interface ExternalEditorPorts {
  environment: Readonly<Record<string, string | undefined>>;
  /** As `process.platform`. */
  platform: string;
  /** Runs `argv` with `file` behind it on the inherited terminal. `code` is null when a signal ended it. Throws when it cannot start. */
  runEditor(argv: readonly string[], file: string): Promise<{ code: number | null }>;
  /** Gives the terminal away while `run` runs, and takes it back in any case. */
  lendTerminal<T>(run: () => Promise<T>): Promise<T>;
  notice(notice: PromptEditorNotice): void;
}

/** The text from the editor, without the newline that editors add at the end; null when the draft stays as it was, which is told. */
export async function editInExternalEditor(
  draft: string,
  ports: ExternalEditorPorts,
): Promise<string | null> {
  const argv = editorCommand(ports.environment, ports.platform);
  if (argv === null) {
    ports.notice({
      level: "warning",
      message: "No editor is set",
      hint: "Set VISUAL or EDITOR, e.g. EDITOR=vim or VISUAL='code --wait'.",
    });
    return null;
  }
  try {
    const { result, text } = await withPrivateTempFile("prompt.md", draft, (file) =>
      ports.lendTerminal(() => ports.runEditor(argv, file)),
    );
    if (result.code === 0)
      return text
        .replace(/^\ufeff/, "")
        .replace(/\r\n?/g, "\n")
        .replace(/\n$/, "");
    ports.notice({
      level: "warning",
      message: `${argv.join(" ")} ended with ${result.code === null ? "a signal" : `exit code ${result.code}`}`,
      hint: "The prompt stays as it was.",
    });
  } catch (thrown) {
    const hint = isPiError(thrown) ? thrown.hint : undefined;
    ports.notice({
      level: "error",
      message: `The prompt could not be edited with ${argv.join(" ")}: ${errorMessage(thrown)}`,
      hint: hint ?? "Check VISUAL and EDITOR. The prompt stays as it was.",
    });
  }
  return null;
}

/** `$VISUAL`, `$EDITOR`, on Windows notepad; null when there is none. Words may be quoted ("/my apps/ed" -w). */
export function editorCommand(
  environment: Readonly<Record<string, string | undefined>>,
  platform: string,
): string[] | null {
  for (const name of ["VISUAL", "EDITOR"]) {
    const words = commandWords(environment[name] ?? "", platform);
    if (words.length > 0) return words;
  }
  return platform === "win32" ? ["notepad"] : null;
}

function commandWords(command: string, platform: string): string[] {
  // On Windows a backslash separates folders.
  const word =
    platform === "win32" ? /(?:"[^"]*"|[^\s"])+/g : /(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g;
  return (command.match(word) ?? []).map((text) =>
    text.replace(
      /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g,
      (whole, double?: string, single?: string, escaped?: string) => {
        if (platform === "win32") return double ?? whole;
        return double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? whole;
      },
    ),
  );
}

/** {@link ExternalEditorPorts.lendTerminal} for a running TUI. */
export function lendTerminalOf(tui: TUI): ExternalEditorPorts["lendTerminal"] {
  return async (run) => {
    tui.stop({ preserveScreen: true });
    try {
      return await run();
    } finally {
      tui.start();
      tui.requestRender(true);
    }
  };
}
