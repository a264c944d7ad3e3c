/** The prompt: pi-tui's editor with our keys, menus, pastes, images and history. */
import {
  type AutocompleteProvider,
  Editor,
  getKeybindings,
  isKeyRelease,
  type TUI,
  type TuiMouseEvent,
  type TuiMouseEventResult,
  truncateToWidth,
  visibleWidth,
} from "@earendil-works/pi-tui";
import { Attachments } from "./attachments.ts";
import { PromptCompletion } from "./completion.ts";
import { type EditorInternals, internalsOf, type OpenMenu, snapshotOf } from "./editor-internals.ts";
import { editorVimBuffer } from "./editor-vim-buffer.ts";
import { enterEffect } from "./enter-key.ts";
import { showHiddenCharacters } from "./hidden-characters.ts";
import { HistorySearch } from "./history-search.ts";
import { ImageIntake } from "./image-intake.ts";
import type { Keymap } from "./keymap.ts";
import { editMarkersAsUnits } from "./marker-editing.ts";
import { menuTheme } from "./menu-theme.ts";
import { cleanPaste, foldedPaste } from "./pasted-text.ts";
import type { PromptEditorPorts, PromptProvider, PromptSubmission } from "./prompt-editor-ports.ts";
import { PromptHistoryList } from "./prompt-history-list.ts";
import { type PromptKind, promptKind } from "./prompt-kind.ts";
import { thirdOfScreen } from "./third-of-screen.ts";
import { VimKeys } from "./vim/vim-keys.ts";

const MOST_MENU_ROWS = 25;
/** Below this pi-tui cannot break lines of wide characters. */
const LEAST_WIDTH = 6;
const TAB = "   ";

/** Everything it shows fits the width it is given, from 1 column on. Nothing in it waits: what is slow comes later. */
export class PromptEditor extends Editor {
  readonly #ports: PromptEditorPorts;
  readonly #inner: EditorInternals;
  readonly #completion: PromptCompletion;
  readonly #attachments = new Attachments();
  readonly #images: ImageIntake;
  readonly #history: PromptHistoryList;
  readonly #screen: TUI;
  readonly #clearInput: () => void;
  #keymap: Keymap;
  #provider: PromptProvider;
  #vim: VimKeys | null = null;
  #search: HistorySearch | null = null;
  #kind: PromptKind = "prompt";
  /** The menu in which the person moved the mark. */
  #movedIn: OpenMenu | null = null;
  /** The text for which the menu was closed with Esc. */
  #dismissedFor: string | null = null;

  constructor(tui: TUI, ports: PromptEditorPorts, options: { vim: boolean }) {
    super(thirdOfScreen(tui), { borderColor: (text) => text, selectList: menuTheme(ports.theme) });
    this.#screen = tui;
    this.#ports = ports;
    this.#keymap = ports.keymap;
    this.#inner = internalsOf(this);
    this.#clearInput = this.#inner.submitValue.bind(this);
    this.#completion = new PromptCompletion(ports);
    this.#history = new PromptHistoryList(() => ports.history());
    this.#images = new ImageIntake(this.#inner, this.#attachments, ports, () => this.#changed());
    this.borderColor = (text) => this.#paintBorder(text);
    this.#provider = this.#completion;
    this.setAutocompleteProvider(this.#completion);
    this.#replaceInner();
    this.setVim(options.vim);
  }

  /** Whether a completion menu or the history search is open. */
  get isMenuOpen(): boolean {
    return this.isShowingAutocomplete() || this.#search !== null;
  }

  get isEmpty(): boolean {
    return this.getText() === "";
  }

  /** What is typed, long pastes in full. */
  get draft(): string {
    return this.getExpandedText();
  }

  get kind(): PromptKind {
    return this.#kind;
  }

  override get capturesViewportInput(): boolean {
    return this.isMenuOpen;
  }

  closeMenu(): void {
    this.#dismissedFor = this.getText();
    this.#inner.cancelAutocomplete();
    this.#search = null;
    this.#screen.requestRender();
  }

  /** Empties the prompt; undo brings it back. */
  clear(): void {
    this.closeMenu();
    this.setDraft("");
    this.#vim?.reset();
  }

  /** Replaces the prompt, the cursor at its end; undo brings the old one back. */
  setDraft(text: string): void {
    this.setText(showHiddenCharacters(text).text);
    this.#afterInput();
  }

  /** Makes a text the latest of the earlier prompts; what is sent comes there by itself. */
  override addToHistory(text: string): void {
    this.#history.add(this.#attachments.without(text.trim()));
  }

  /** Completes with what `wrap` makes of the prompt's own completions. */
  wrapCompletion(wrap: (own: AutocompleteProvider) => PromptProvider): void {
    this.#provider = wrap(this.#completion);
    this.setAutocompleteProvider(this.#provider);
  }

  setKeymap(keymap: Keymap): void {
    this.#keymap = keymap;
  }

  setVim(on: boolean): void {
    if (on === (this.#vim !== null)) return;
    this.#vim = on
      ? new VimKeys({
          buffer: editorVimBuffer(this.#inner, () => this.#changed()),
          onMode: (mode) => this.#ports.onVimMode?.(mode),
          feed: (data) => this.handleInput(data),
        })
      : null;
    this.#ports.onVimMode?.("insert");
  }

  override handleInput(data: string): void {
    if (isKeyRelease(data)) return;
    if (this.#search) this.#search.handleInput(data);
    else if (this.#inner.isInPaste || data.includes("\x1b[200~") || this.#inner.jumpMode !== null)
      super.handleInput(data);
    else this.#handleKey(data);
    this.#afterInput();
  }

  override render(width: number): string[] {
    if (this.#search) return this.#search.render(width);
    this.#fitMenu();
    const lines = super.render(Math.max(width, LEAST_WIDTH));
    return lines.map((line) => {
      const spaced = line.includes("\t") ? line.replaceAll("\t", TAB) : line;
      return width < LEAST_WIDTH ? truncateToWidth(spaced, width, "") : spaced;
    });
  }

  override handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    return this.#search ? undefined : super.handleMouse(event);
  }

  protected override renderTopBorder(width: number, hidden: number): string {
    const label = this.#label();
    if (label === "" || hidden > 0 || visibleWidth(label) + 6 > width)
      return super.renderTopBorder(width, hidden);
    return this.borderColor(`── ${label} ${"─".repeat(width - visibleWidth(label) - 4)}`);
  }

  #handleKey(data: string): void {
    if (this.isShowingAutocomplete() && this.#closesMenu(data)) this.closeMenu();
    else if (this.#ports.shortcut?.(data) || this.#vim?.handle(data)) return;
    else if (!this.#handleAction(data)) this.#edit(data);
  }

  #closesMenu(data: string): boolean {
    if (this.#keymap.matches(data, "app.clear")) return false;
    return this.#keymap.matches(data, "app.interrupt") || getKeybindings().matches(data, "tui.select.cancel");
  }

  #handleAction(data: string): boolean {
    for (const action of this.#keymap.actionsFor(data)) {
      switch (action) {
        case "app.history.search":
          this.#openSearch();
          return true;
        case "app.image.paste":
          this.#images.pasteFromClipboard();
          return true;
        case "app.editor.external":
          void this.#editExternally();
          return true;
        case "app.follow_up":
          if (this.#ports.busy()) this.#submit("follow_up");
          else super.handleInput("\n");
          return true;
        case "app.exit":
          if (this.isEmpty && this.#ports.onAction(action)) return true;
          break;
        default:
          // The menu has the keys that scroll.
          if (action.startsWith("app.scroll.") && this.isShowingAutocomplete()) break;
          if (this.#ports.onAction(action)) return true;
      }
    }
    return false;
  }

  #edit(data: string): void {
    const keys = getKeybindings();
    const menu = this.isShowingAutocomplete() ? this.#inner.autocompleteList : undefined;
    const newLine = data === "\n" || keys.matches(data, "tui.input.newLine");
    if (
      !newLine &&
      (keys.matches(data, "tui.input.submit") || (menu && keys.matches(data, "tui.select.confirm")))
    ) {
      this.#enter(data, menu);
      return;
    }
    if (menu && (keys.matches(data, "tui.select.up") || keys.matches(data, "tui.select.down")))
      this.#movedIn = menu;
    super.handleInput(data);
    if (menu && keys.matches(data, "tui.input.tab")) this.#goOn();
  }

  #enter(data: string, menu: OpenMenu | undefined): void {
    const { line, col } = this.getCursor();
    const lines = this.getLines();
    if (lines[line]!.charAt(col - 1) === "\\") {
      this.#inner.cancelAutocomplete();
      super.handleInput(data);
      return;
    }
    const text = this.getText();
    const prefix = this.#inner.autocompletePrefix;
    if (menu && this.#provider.foreign === true && lines[line]!.slice(0, col).endsWith(prefix)) {
      super.handleInput(data);
      return;
    }
    const forced = this.#inner.autocompleteState === "force";
    const current = menu && this.#completion.prefixAt(lines, line, col, forced) === prefix;
    const marked = current ? menu.getSelectedItem() : null;
    const effect = enterEffect({
      text,
      cursorAtEnd: line === lines.length - 1 && col === lines[line]!.length,
      menu: marked && { value: marked.value, prefix, moved: menu === this.#movedIn },
      dismissed: this.#dismissedFor === text,
      commands: this.#ports.commands(),
    });
    if (effect.do === "complete") {
      super.handleInput(data);
      this.#goOn();
      return;
    }
    if (effect.do !== "send") this.setText(effect.text);
    if (effect.do === "insert") this.#goOn();
    else this.#submit("steer");
  }

  /** Opens the next menu after a completion: in the folder, or for the command's argument. */
  #goOn(): void {
    const { line, col } = this.getCursor();
    if (this.isShowingAutocomplete() || !this.#completion.continues(this.getLines(), line, col)) return;
    this.#inner.requestAutocomplete({ force: true, explicitTab: false });
  }

  #submit(how: PromptSubmission["how"]): void {
    const raw = this.getText();
    const text = this.draft.trim();
    if (text === "") return;
    const input = this.#attachments.numbered(text);
    const kind = promptKind(raw);
    this.addToHistory(text);
    this.#clearInput();
    this.#attachments.clear();
    this.#vim?.reset();
    this.#changed();
    this.#ports.onSubmit({ input, how, kind });
  }

  #openSearch(): void {
    this.#inner.cancelAutocomplete();
    this.#search = new HistorySearch({
      entries: this.#history.newestFirst(),
      theme: this.#ports.theme,
      keymap: this.#keymap,
      rows: Math.max(1, Math.min(10, Math.floor(this.#screen.terminal.rows / 3))),
      onDone: (chosen) => {
        this.#search = null;
        if (chosen !== null) this.setText(chosen);
      },
    });
  }

  async #editExternally(): Promise<void> {
    const text = await this.#ports.editExternally?.(this.draft);
    if (text !== undefined && text !== null) this.setDraft(text);
    this.#screen.requestRender();
  }

  #paste(pasted: string): void {
    const inner = this.#inner;
    inner.cancelAutocomplete();
    inner.exitHistoryBrowsing();
    inner.lastAction = null;
    const { text, hidden, kinds } = cleanPaste(pasted);
    if (text === "") return;
    inner.pushUndoSnapshot();
    const folded = foldedPaste(inner.pasteCounter + 1, text);
    if (folded !== null) inner.pastes.set(++inner.pasteCounter, text);
    inner.insertTextAtCursorInternal(folded ?? text);
    if (hidden > 0) this.#tellHidden(hidden, kinds);
    if (folded === null) this.#images.attachPaths(text);
  }

  #tellHidden(hidden: number, kinds: readonly string[]): void {
    const named = kinds.slice(0, 3).join(", ") + (kinds.length > 3 ? ", …" : "");
    this.#ports.notice({
      level: "warning",
      message: `The pasted text has ${hidden} hidden character${hidden === 1 ? "" : "s"} (${named})`,
      hint: `They are written out, like \\u{200B}, and are sent that way. ${this.#keymap.label("tui.editor.undo")} takes the paste back.`,
    });
  }

  /** Puts our behaviour in the place of members that pi-tui calls on itself. */
  #replaceInner(): void {
    const inner = this.#inner;
    const { navigateHistory } = inner;
    editMarkersAsUnits(inner, this.#attachments, () => this.#changed());
    inner.normalizeText = (text) => text.replace(/\r\n?/g, "\n");
    inner.handlePaste = (text) => this.#paste(text);
    inner.submitValue = () => this.#submit("steer");
    inner.pushUndoSnapshot = () => inner.undoStack.stack.push(snapshotOf(inner));
    inner.navigateHistory = (direction) => {
      if (inner.historyIndex === -1) inner.history = this.#history.newestFirst();
      navigateHistory.call(inner, direction);
    };
  }

  #changed(): void {
    this.onChange?.(this.getText());
    this.#afterInput();
    this.#screen.requestRender();
  }

  #afterInput(): void {
    this.#vim?.settle();
    const text = this.getText();
    if (this.#dismissedFor !== text) this.#dismissedFor = null;
    const kind = promptKind(text);
    if (kind === this.#kind) return;
    this.#kind = kind;
    this.#ports.onKind?.(kind);
  }

  /** At most 25 rows, and no more than the screen has under the text. */
  #fitMenu(): void {
    const { rows } = this.#screen.terminal;
    const textRows = Math.min(this.getLines().length, Math.max(5, Math.floor(rows / 3)));
    const menuRows = Math.max(3, Math.min(MOST_MENU_ROWS, rows - textRows - 6));
    this.#inner.autocompleteMaxVisible = menuRows;
    if (this.#inner.autocompleteList) this.#inner.autocompleteList.maxVisible = menuRows;
  }

  #label(): string {
    if (this.#vim?.mode === "normal") return `NORMAL ${this.#vim.pending}`.trim();
    if (this.#kind === "shell") return "shell";
    return this.#kind === "shell-private" ? "shell, not shown to the model" : "";
  }

  #paintBorder(text: string): string {
    const { color } = this.#ports.theme.current;
    switch (this.#kind) {
      case "prompt":
        return color.border(text);
      case "command":
        return color.accent(text);
      case "shell":
      case "shell-private":
        return color.warning(text);
    }
  }
}
