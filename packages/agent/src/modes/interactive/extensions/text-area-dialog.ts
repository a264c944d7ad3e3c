import { Editor, getKeybindings, type TUI } from "@earendil-works/pi-tui";
import { keyRow, titleRow } from "../dialog/dialog-frame.ts";
import type { DialogEnvironment, DialogView } from "../dialog/dialog-view.ts";
import type { Keymap } from "../input/keymap.ts";
import { menuTheme } from "../input/menu-theme.ts";
import { thirdOfScreen } from "../input/third-of-screen.ts";

export interface TextAreaQuestion {
  readonly heading: { readonly title: string; readonly detail?: string };
  readonly text: string;
  readonly tui: TUI;
  readonly keymap: () => Keymap;
  readonly editExternally: (text: string) => Promise<string | null>;
  readonly done: (text: string | null) => void;
}

/** Below this pi-tui's editor cannot break lines of wide characters. */
const LEAST_WIDTH = 6;

/** Several lines of text to edit. Enter takes them, Esc closes without. */
export class TextAreaDialog implements DialogView {
  readonly #environment: DialogEnvironment;
  readonly #question: TextAreaQuestion;
  readonly #editor: Editor;

  constructor(environment: DialogEnvironment, question: TextAreaQuestion) {
    const { themes } = environment;
    this.#environment = environment;
    this.#question = question;
    this.#editor = new Editor(thirdOfScreen(question.tui), {
      borderColor: (text) => themes.current.color.border(text),
      selectList: menuTheme(themes),
    });
    this.#editor.setText(question.text);
    this.#editor.onSubmit = () => undefined;
  }

  get focused(): boolean {
    return this.#editor.focused;
  }

  set focused(focused: boolean) {
    this.#editor.focused = focused;
  }

  invalidate(): void {
    this.#editor.invalidate();
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    const { done, keymap } = this.#question;
    if (data.includes("\x1b[200~")) this.#editor.handleInput(data);
    else if (keys.matches(data, "tui.select.cancel")) done(null);
    else if (keymap().matches(data, "app.editor.external")) void this.#editExternally();
    else if (keys.matches(data, "tui.input.submit") && !keys.matches(data, "tui.input.newLine"))
      // The text as it stands, blank lines at its ends too; the editor's own submit would trim them.
      done(this.#editor.getExpandedText());
    else this.#editor.handleInput(data);
  }

  async #editExternally(): Promise<void> {
    const { editExternally, tui } = this.#question;
    const text = await editExternally(this.#editor.getExpandedText());
    if (text !== null) this.#editor.setText(text);
    tui.requestRender();
  }

  render(width: number): readonly string[] {
    const theme = this.#environment.themes.current;
    const { heading, keymap } = this.#question;
    const rows = [titleRow(heading.title, width, theme)];
    if (heading.detail !== undefined)
      rows.push(...this.#environment.renderBlocks([{ kind: "text", text: heading.detail }], width, theme));
    rows.push(
      ...this.#editor.render(Math.max(width, LEAST_WIDTH)),
      keyRow(
        [
          ["Enter", "takes it"],
          ["Esc", "closes"],
          [keymap().label("tui.input.newLine"), "new line"],
        ],
        width,
        theme,
      ),
    );
    return rows;
  }
}
