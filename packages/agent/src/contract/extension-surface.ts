/**
 * What an extension may draw and ask in a terminal. The surface implements it with the real components of pi-tui; the extension
 * host (extension/pi) hands it to extensions as `ctx.ui`. Components and factories stay `unknown` here: only the two ends know
 * pi-tui's types. Nothing here throws: what an extension's component throws is told through `onFault`, with the extension's name.
 */

/** Who asks: its name is shown, and faults are told with it. One object for each loaded extension: it is what {@link ExtensionSurface.release} goes by. */
export interface ExtensionSource {
  readonly name: string;
}

export interface ExtensionDialogOptions {
  /** Who asks; a title without it says "extension". */
  readonly source?: ExtensionSource;
  readonly signal?: AbortSignal;
  /** Milliseconds after which it closes as dismissed; a countdown is shown. */
  readonly timeoutMs?: number;
}

export interface ExtensionCustomOptions {
  /** Drawn over the transcript instead of in the editor's place. */
  readonly overlay?: boolean;
  /** pi-tui's overlay options. */
  readonly overlayOptions?: unknown;
  /** Gets pi-tui's overlay handle. */
  readonly onHandle?: (handle: unknown) => void;
}

/** `ctx.ui` of one extension, in terms of the surface. Each dialog resolves with undefined (false) when it is dismissed, aborted or timed out. */
export interface ExtensionSurface {
  select(
    title: string,
    options: readonly string[],
    dialog: ExtensionDialogOptions,
  ): Promise<string | undefined>;
  confirm(title: string, message: string, dialog: ExtensionDialogOptions): Promise<boolean>;
  input(
    title: string,
    placeholder: string | undefined,
    dialog: ExtensionDialogOptions,
  ): Promise<string | undefined>;
  /** Several lines, in the editor's place. */
  editor(
    title: string,
    prefill: string | undefined,
    dialog?: ExtensionDialogOptions,
  ): Promise<string | undefined>;
  /** `factory(tui, theme, keybindings, done)` gives a pi-tui component (or a promise of one) that has the keys until `done(value)` is called. */
  custom(source: ExtensionSource, factory: unknown, options: ExtensionCustomOptions): Promise<unknown>;
  notify(source: ExtensionSource, message: string, level: "info" | "warning" | "error"): void;
  /** A word in the status line; undefined takes it away. */
  setStatus(source: ExtensionSource, key: string, text: string | undefined): void;
  /** Lines, or `factory(tui, theme)` giving a component, above or below the editor; undefined takes it away. */
  setWidget(
    source: ExtensionSource,
    key: string,
    content: readonly string[] | unknown | undefined,
    placement: "aboveEditor" | "belowEditor",
  ): void;
  setFooter(source: ExtensionSource, factory: unknown | undefined): void;
  setHeader(source: ExtensionSource, factory: unknown | undefined): void;
  /** The terminal's title; undefined gives it back. */
  setTitle(source: ExtensionSource, title: string | undefined): void;
  /** The word beside the spinner; undefined gives the usual one back. */
  setWorkingMessage(source: ExtensionSource, message: string | undefined): void;
  /** The row that says what goes on; undefined gives it back. */
  setWorkingVisible(source: ExtensionSource, visible: boolean | undefined): void;
  /** The spinner's frames (none: no spinner) and how long each is shown, in milliseconds; undefined gives the usual one back. */
  setWorkingIndicator(
    source: ExtensionSource,
    indicator: { frames: readonly string[]; intervalMs?: number } | undefined,
  ): void;
  /** What stands in place of "Thought for N lines" while thinking is folded; undefined gives that back. */
  setHiddenThinkingLabel(source: ExtensionSource, label: string | undefined): void;
  editorText(): string;
  setEditorText(text: string): void;
  pasteToEditor(text: string): void;
  /** Sees raw input before the surface does; `{ consume: true }` keeps it, `{ data }` changes it. The result removes it. */
  onTerminalInput(
    source: ExtensionSource,
    handler: (data: string) => { consume?: boolean; data?: string } | undefined,
  ): () => void;
  /** pi-tui autocomplete wrapper: `(current) => provider`. The result removes it. */
  addAutocompleteProvider(source: ExtensionSource, wrap: unknown): () => void;
  /** A key (pi-tui's grammar). Undefined when it is one of the reserved keys; else the result removes it. */
  registerShortcut(
    source: ExtensionSource,
    key: string,
    description: string | undefined,
    run: () => void,
  ): (() => void) | undefined;
  /** Renders a custom message or entry, a tool's call or its result, with a pi-tui component; `render(theme)` may return undefined for the plain form. */
  readonly renderers: ExtensionRenderers;
  /** Pi's theme object (`fg(role, text)`, `bold`, …) over the theme drawn now. */
  theme(): unknown;
  themes(): readonly { name: string; path?: string }[];
  setTheme(name: string): { success: boolean; error?: string };
  toolsExpanded(): boolean;
  setToolsExpanded(expanded: boolean): void;
  /** Shows a message of an extension in the transcript. */
  showMessage(source: ExtensionSource, message: ExtensionMessage): void;
  /** Takes away everything an extension put up (it was unloaded). */
  release(source: ExtensionSource): void;
  /** Hears in what (`drawing its widget "todo"`) a component or handler of an extension failed, once for each failure; the result removes it. */
  onFault(listener: (source: ExtensionSource, what: string, error: unknown) => void): () => void;
}

/** A message that an extension sent (`pi.sendMessage`) or an entry it keeps (`pi.appendEntry`). */
export interface ExtensionMessage {
  readonly kind: "message" | "entry";
  readonly customType: string;
  /** What the model reads, as text; the plain form that is shown without a renderer. */
  readonly text: string;
  /** The whole of it, as Pi's renderers get it. */
  readonly value: unknown;
}

/** Renderers that extensions registered, by custom type or tool name. The host registers, the transcript asks. */
export interface ExtensionRenderers {
  setMessage(source: ExtensionSource, customType: string, render: unknown): void;
  setEntry(source: ExtensionSource, customType: string, render: unknown): void;
  /**
   * `renderCall` and `renderResult` of a tool definition. The result is given as `{ content: [{ type: "text", text }], details, isError }`;
   * its details are `extension_details` of our outcome where there are such, else the outcome's.
   */
  setTool(source: ExtensionSource, toolName: string, renderers: { call?: unknown; result?: unknown }): void;
}
