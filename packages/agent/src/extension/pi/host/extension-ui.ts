import type { ExtensionSurface } from "../../../contract/extension-surface.ts";
import type { LoadedExtension } from "./loaded-extension.ts";
import { NO_UI } from "./no-surface.ts";

interface DialogOptions {
  signal?: AbortSignal;
  timeout?: number;
}

/** `ctx.ui` of one extension over the terminal, or over nothing: `heard` gets what it says there. */
export function extensionUi(
  extension: LoadedExtension,
  surface: ExtensionSurface | null,
  heard: (message: string) => void,
): object {
  if (surface === null) return { ...NO_UI, notify: (message: unknown) => heard(String(message)) };
  const source = extension;
  /** The time that a person takes is not the extension's. */
  const asked = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const dialog = {};
    extension.dialogs.add(dialog);
    try {
      return await answer;
    } finally {
      extension.dialogs.delete(dialog);
    }
  };
  const removed = (remove: () => void) => extension.undoable(remove);
  const options = ({ signal, timeout }: DialogOptions = {}) => ({
    source,
    ...(signal === undefined ? {} : { signal }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
  });
  const nothing = () => undefined;
  return {
    select: (title: string, choices: readonly string[], dialog?: DialogOptions) =>
      asked(surface.select(String(title), choices.map(String), options(dialog))),
    confirm: (title: string, message = "", dialog?: DialogOptions) =>
      asked(surface.confirm(String(title), String(message), options(dialog))),
    input: (title: string, placeholder?: unknown, dialog?: DialogOptions) =>
      asked(surface.input(String(title), text(placeholder), options(dialog))),
    editor: (title: string, prefill?: unknown) =>
      asked(surface.editor(String(title), text(prefill), { source })),
    custom: (factory: unknown, custom: object = {}) => asked(surface.custom(source, factory, custom)),
    notify: (message: unknown, level: unknown = "info") =>
      surface.notify(source, String(message), level === "warning" || level === "error" ? level : "info"),
    setStatus: (key: unknown, words: unknown) => surface.setStatus(source, String(key), text(words)),
    setWidget: (key: unknown, content: unknown, placed: { placement?: string } = {}) =>
      surface.setWidget(
        source,
        String(key),
        content ?? undefined,
        placed.placement === "belowEditor" ? "belowEditor" : "aboveEditor",
      ),
    setFooter: (factory: unknown) => surface.setFooter(source, factory ?? undefined),
    setHeader: (factory: unknown) => surface.setHeader(source, factory ?? undefined),
    setTitle: (title?: unknown) => surface.setTitle(source, text(title)),
    setWorkingMessage: (message?: unknown) => surface.setWorkingMessage(source, text(message)),
    setWorkingVisible: (visible: unknown) =>
      surface.setWorkingVisible(source, visible === false ? false : undefined),
    setWorkingIndicator: (indicator?: { frames?: unknown; intervalMs?: unknown }) =>
      surface.setWorkingIndicator(source, indicatorOf(indicator)),
    setHiddenThinkingLabel: (label?: unknown) => surface.setHiddenThinkingLabel(source, text(label)),
    setEditorText: (text: unknown) => surface.setEditorText(String(text)),
    pasteToEditor: (text: unknown) => surface.pasteToEditor(String(text)),
    getEditorText: () => surface.editorText(),
    setEditorComponent: nothing,
    getEditorComponent: nothing,
    addAutocompleteProvider: (wrap: unknown) => removed(surface.addAutocompleteProvider(source, wrap)),
    onTerminalInput: (handler: (data: string) => { consume?: boolean; data?: string } | undefined) =>
      removed(surface.onTerminalInput(source, handler)),
    get theme() {
      return surface.theme();
    },
    getAllThemes: () => surface.themes(),
    getTheme: (name: string) => surface.themes().find((theme) => theme.name === name),
    setTheme: (theme: unknown) =>
      surface.setTheme(typeof theme === "string" ? theme : String((theme as { name?: unknown })?.name)),
    getToolsExpanded: () => surface.toolsExpanded(),
    setToolsExpanded: (expanded: unknown) => surface.setToolsExpanded(expanded === true),
  };
}

/** The surface draws texts; whatever else an extension gives is shown as what it is in words. */
function text(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

/** Without frames the usual spinner stays. */
function indicatorOf({ frames, intervalMs }: { frames?: unknown; intervalMs?: unknown } = {}) {
  if (!Array.isArray(frames)) return undefined;
  return { frames: frames.map(String), ...(typeof intervalMs === "number" ? { intervalMs } : {}) };
}
