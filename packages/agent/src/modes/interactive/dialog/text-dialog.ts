import {
  CURSOR_MARKER,
  getKeybindings,
  Input,
  renderFakeCursor,
  type TuiMouseEvent,
  type TuiMouseEventResult,
  truncateToWidth,
} from "@earendil-works/pi-tui";
import type { TextQuestion } from "../../../contract/slash-command.ts";
import { safeLine } from "../../shared/safe-text.ts";
import { keyRow, titleRow } from "./dialog-frame.ts";
import type { DialogEnvironment, DialogView } from "./dialog-view.ts";

export interface TextDialogQuestion extends TextQuestion {
  /** Shown above the line. */
  readonly detail?: string;
  /** Shown while nothing is typed. */
  readonly placeholder?: string;
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;
const KEYS_FROM_ROWS = 4;

/** One line of text, editable and pasteable; a secret is drawn as dots. */
export class TextDialog implements DialogView {
  readonly #environment: DialogEnvironment;
  readonly #question: TextDialogQuestion;
  readonly #done: (answer: string | null) => void;
  readonly #input = new Input({ prompt: "" });

  /** Rows above the input. */
  #above = 1;

  constructor(
    environment: DialogEnvironment,
    question: TextDialogQuestion,
    done: (answer: string | null) => void,
  ) {
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
    if (event.y !== this.#above || this.#question.secret) return undefined;
    // the library's input counts a prompt of two columns
    return this.#input.handleMouse({ ...event, x: event.x + 2, y: 0 });
  }

  render(width: number): readonly string[] {
    const theme = this.#environment.themes.current;
    const lines = [titleRow(this.#question.title, width, theme), ...this.#detail(width)];
    this.#above = lines.length;
    lines.push(this.#question.secret ? this.#dots(width) : this.#line(width));
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

  #detail(width: number): readonly string[] {
    const { detail } = this.#question;
    if (detail === undefined) return [];
    const { renderBlocks, rows, themes } = this.#environment;
    return renderBlocks([{ kind: "text", text: detail }], width, themes.current).slice(0, rows("some") - 3);
  }

  #line(width: number): string {
    const line = this.#input.render(width)[0] ?? "";
    const { placeholder } = this.#question;
    if (placeholder === undefined || this.#input.getValue() !== "") return line;
    const { color } = this.#environment.themes.current;
    const cursor = this.#input.focused ? CURSOR_MARKER : "";
    return truncateToWidth(
      `${cursor}${renderFakeCursor(" ")}${color.muted(safeLine(placeholder))}`,
      width,
      "…",
    );
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
