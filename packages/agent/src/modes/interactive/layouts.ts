import { type Component, Container, VStack } from "@earendil-works/pi-tui";
import { isTooSmall, TooSmall } from "./too-small.ts";

export interface LayoutParts {
  /** Above the panel. */
  header: Component;
  /** What fills the screen above the dock of an empty conversation, and of one that is not. */
  panel: Component;
  transcript: Component;
  /** The rows at the bottom, from above. */
  dock: readonly Component[];
}

/** The three layouts of the screen. */
export class Layouts {
  readonly #empty: VStack;
  readonly #conversation: VStack;
  readonly #tooSmall = new TooSmall();

  constructor({ header, panel, transcript, dock }: LayoutParts) {
    const bottom = new Container();
    for (const component of dock) bottom.addChild(component);
    const docked = { component: bottom, basis: "auto", shrink: 1, minSize: 1 } as const;
    const above = { basis: 0, grow: 1, shrink: 1, minSize: 1 } as const;
    const headed = { component: header, basis: "auto", shrink: 1, minSize: 0 } as const;
    this.#empty = new VStack([headed, { component: panel, ...above }, docked]);
    this.#conversation = new VStack([{ component: transcript, ...above }, docked]);
  }

  /** The layout for a screen of this size. */
  choose(columns: number, rows: number, empty: boolean): Component {
    if (isTooSmall(columns, rows)) return this.#tooSmall;
    return empty ? this.#empty : this.#conversation;
  }
}
