import {
  CURSOR_MARKER,
  getKeybindings,
  Input,
  renderFakeCursor,
  type TuiMouseEvent,
  type TuiMouseEventResult,
} from "@earendil-works/pi-tui";
import type { TextQuestion } from "../../../contract/slash-command.ts";
import { keyRow, titleRow } from "./dialog-frame.ts";
import type { DialogEnvironment, DialogView } from "./dialog-view.ts";

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;
const KEYS_FROM_ROWS = 4;

/** One line of text, editable and pasteable; a secret is drawn as dots. */
export class TextDialog implements DialogView {
  readonly #environment: DialogEnvironment;
  readonly #question: TextQuestion;
  readonly #done: (answer: string | null) => void;
  readonly #input = new Input({ prompt: "" });

  constructor(environment: DialogEnvironment, question: TextQuestion, done: (answer: string | null) => void) {
    this.#environment = environment;
    this.#question = question;
    this.#done = done;
    if (question.initial !== undefined && question.initial !== "")
      this.#input.handleInput(`\x1b[200~${question.initial.replace(CONTROL, " ")}\x1b[201~`);
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  set focused(focused: boolean) {
    this.#input.focused = focused;
  }

  invalidate(): void {
    this.#input.invalidate();
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    const pasted = data.includes("\x1b[200~");
    if (!pasted && keys.matches(data, "tui.select.cancel")) this.#done(null);
    else if (!pasted && keys.matches(data, "tui.select.confirm")) this.#done(this.#input.getValue());
    else {
      this.#input.handleInput(data);
      const value = this.#input.getValue();
      const clean = value.replace(CONTROL, "");
      if (clean !== value) this.#input.setValue(clean);
    }
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    if (event.y !== 1 || this.#question.secret) return undefined;
    // the library's input counts a prompt of two columns
    return this.#input.handleMouse({ ...event, x: event.x + 2, y: 0 });
  }

  render(width: number): readonly string[] {
    const theme = this.#environment.themes.current;
    const line = this.#question.secret ? this.#dots(width) : (this.#input.render(width)[0] ?? "");
    const lines = [titleRow(this.#question.title, width, theme), line];
    if (this.#environment.rows("some") >= KEYS_FROM_ROWS)
      lines.push(
        keyRow(
          [
            ["Enter", "takes it"],
            ["Esc", "closes"],
          ],
          width,
          theme,
        ),
      );
    return lines;
  }

  #dots(width: number): string {
    const focused = this.#input.focused;
    this.#input.focused = true;
    // wide enough that nothing is scrolled away: the library tells the cursor only by its mark
    const drawn = this.#input.render(this.#input.getValue().length * 2 + 2)[0] ?? "";
    this.#input.focused = focused;
    const segmenter = new Intl.Segmenter();
    const count = (text: string) => [...segmenter.segment(text)].length;
    const total = count(this.#input.getValue());
    const before = count(drawn.slice(0, drawn.indexOf(CURSOR_MARKER)));
    const room = Math.max(1, width);
    const first = Math.max(0, Math.min(before - Math.floor(room / 2), total + 1 - room));
    const cells = Math.min(room, total + 1 - first);
    let line = "";
    for (let index = first; index < first + cells; index++) {
      const cell = index < total ? "•" : " ";
      line += index === before ? (focused ? CURSOR_MARKER : "") + renderFakeCursor(cell) : cell;
    }
    return line;
  }
}
