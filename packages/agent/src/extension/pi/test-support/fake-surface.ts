/** A terminal for extensions that keeps what it was asked for. */
import type { ExtensionSource, ExtensionSurface } from "../../../contract/extension-surface.ts";

export interface FakeSurface extends ExtensionSurface {
  /** Calls in order: `name: words`. */
  readonly done: string[];
  /** Tells a fault as a component that throws does. */
  fault(source: ExtensionSource, what: string, error: unknown): void;
  /** Presses a key that an extension has. */
  press(key: string): void;
}

/** `answers` by the dialog's title; one that has none is dismissed. */
export function fakeSurface(answers: Readonly<Record<string, unknown>> = {}): FakeSurface {
  const done: string[] = [];
  const keys = new Map<string, () => void>();
  let hear: (source: ExtensionSource, what: string, error: unknown) => void = () => undefined;
  const keep = (name: string, ...words: unknown[]) =>
    void done.push(`${name}: ${words.map(String).join(" ")}`);
  const answer = async <Answer>(title: string): Promise<Answer> => answers[title] as Answer;
  const gone = (what: string) => () => keep("removed", what);
  return {
    done,
    fault: (source, what, error) => hear(source, what, error),
    press: (key) => keys.get(key)?.(),
    select: (title) => answer(title),
    confirm: async (title) => answers[title] === true,
    input: (title) => answer(title),
    editor: (title) => answer(title),
    custom: async (source, factory) => {
      keep("custom", source.name, typeof factory);
      return answers["custom"];
    },
    notify: (source, message, level) => keep("notify", source.name, level, message),
    setStatus: (source, key, text) => keep("status", source.name, key, text),
    setWidget: (source, key, content, placement) => keep("widget", source.name, key, content, placement),
    setFooter: (source) => keep("footer", source.name),
    setHeader: (source) => keep("header", source.name),
    setTitle: (source, title) => keep("title", source.name, title),
    setWorkingMessage: (source, message) => keep("working", source.name, message),
    setWorkingVisible: (source, visible) => keep("working visible", source.name, visible),
    setWorkingIndicator: (source, indicator) =>
      keep("working indicator", source.name, indicator && JSON.stringify(indicator)),
    setHiddenThinkingLabel: (source, label) => keep("thinking label", source.name, label),
    editorText: () => "typed",
    setEditorText: (text) => keep("editor", text),
    pasteToEditor: (text) => keep("paste", text),
    onTerminalInput: (source) => gone(`input of ${source.name}`),
    addAutocompleteProvider: (source) => gone(`completion of ${source.name}`),
    registerShortcut(source, key, _description, run) {
      if (key === "ctrl+c") return undefined;
      keys.set(key, run);
      return gone(`key ${key} of ${source.name}`);
    },
    renderers: {
      setMessage: (source, type) => keep("renderer", source.name, "message", type),
      setEntry: (source, type) => keep("renderer", source.name, "entry", type),
      setTool: (source, name, { call, result }) =>
        keep("renderer", source.name, "tool", name, typeof call, typeof result),
    },
    theme: () => ({ fg: (role: string, text: string) => `<${role}>${text}`, bold: (text: string) => text }),
    themes: () => [{ name: "dark" }],
    setTheme: (name) => ({ success: name === "dark" }),
    toolsExpanded: () => false,
    setToolsExpanded: (expanded) => keep("expanded", expanded),
    showMessage: (source, { kind, customType, text }) => keep("message", source.name, kind, customType, text),
    release: (source) => keep("released", source.name),
    onFault(listener) {
      hear = listener;
      return () => {
        hear = () => undefined;
      };
    },
  };
}
