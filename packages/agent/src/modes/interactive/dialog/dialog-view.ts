import type { Component } from "@earendil-works/pi-tui";
import type { CommandBlock } from "../../../contract/command.ts";
import type { ThemeSource } from "../theme/theme.ts";

/** What a dialog needs of its host. */
export interface DialogEnvironment {
  readonly themes: ThemeSource;
  /** The most rows that a dialog may take now; at least 3. A pager may take `all`, which leaves less of the transcript. */
  readonly rows: (wanted: "some" | "all") => number;
  readonly renderBlocks: RenderBlocks;
}

/** Draws blocks in rows of at most `width` columns, made safe for the terminal. */
export type RenderBlocks = (
  blocks: readonly CommandBlock[],
  width: number,
  theme: ThemeSource["current"],
) => readonly string[];

/** A question on the screen. It tells its answer by the callback that it was made with. */
export interface DialogView extends Component {
  focused: boolean;
  /** Typed text means nothing to it: whoever types believes to be in the editor. */
  readonly ignoresText?: boolean;
  handleInput(data: string): void;
}
