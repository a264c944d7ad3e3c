import { type Component, Container, type TUI } from "@earendil-works/pi-tui";
import type { CommandBlock } from "../../../contract/command.ts";
import type { ChoiceQuestion, ConfirmQuestion, Dialogs } from "../../../contract/slash-command.ts";
import type { ThemeSource } from "../theme/theme.ts";
import { ChoiceDialog } from "./choice-dialog.ts";
import { renderCommandBlocks } from "./command-blocks.ts";
import { ConfirmDialog } from "./confirm-dialog.ts";
import type { DialogEnvironment, DialogView, RenderBlocks } from "./dialog-view.ts";
import { OpenDialog } from "./open-dialog.ts";
import { Pager } from "./pager.ts";
import { TextDialog, type TextDialogQuestion } from "./text-dialog.ts";
import { Turns } from "./turns.ts";

export interface DialogHostOptions {
  readonly themes: ThemeSource;
  readonly tui: Pick<TUI, "setFocus" | "requestRender" | "terminal">;
  /** What stands here while nothing is asked, and has the keys then: the editor. Its draft is not touched. */
  readonly resting: Component;
  /** Milliseconds. */
  readonly now: () => number;
  /** Draws blocks in the details and in the pager; default: a plain rendering of this folder. */
  readonly renderBlocks?: RenderBlocks;
  /** Rows of the dock that are not the dialog's (status line, working line); default 2. */
  readonly otherRows?: () => number;
  /** Told when a dialog opens, with its title, and with null when the last one has closed. */
  readonly onOpen?: (title: string | null) => void;
}

/** The questions of the port, texts to read, and dialogs of others. */
export interface DialogSurface extends Dialogs {
  ask(question: TextDialogQuestion, signal?: AbortSignal): Promise<string | null>;
  /** Shows any dialog; `dismissed` is its answer when it is closed from outside. */
  show<Answer>(
    title: string,
    dismissed: Answer,
    make: MakeDialog<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer>;
  /** Shows blocks to read; resolves when they are closed. */
  page(title: string, blocks: readonly CommandBlock[], signal?: AbortSignal): Promise<void>;
}

export type MakeDialog<Answer> = (
  environment: DialogEnvironment,
  done: (answer: Answer) => void,
) => DialogView;

/** How a question that comes unasked is protected from keys that were meant for the editor. */
export interface TogetherOptions {
  readonly signal?: AbortSignal;
  /** Keys within this time after opening are dropped, Esc and Ctrl+C excepted; in milliseconds, default 0. */
  readonly guardMs?: number;
}

/** For questions of the port that come unasked; as long as before a tool call. */
const UNASKED_GUARD_MS = 400;

/**
 * The place of the editor in the dock. Questions take it while they are open, one after the other; then the editor has it back, and
 * the focus. Mount it where the editor would be.
 */
export class DialogHost extends Container implements DialogSurface {
  readonly #options: DialogHostOptions;
  readonly #environment: DialogEnvironment;
  readonly #turns = new Turns();
  #resting: Component;
  readonly #raised: Component[] = [];
  #open: { view: OpenDialog; dismiss: () => void } | undefined;

  constructor(options: DialogHostOptions) {
    super();
    this.#options = options;
    this.#resting = options.resting;
    this.#environment = {
      themes: options.themes,
      rows: (wanted) => this.#rows(wanted),
      renderBlocks: options.renderBlocks ?? renderCommandBlocks,
    };
    this.addChild(this.#resting);
  }

  /** Whether a dialog has the keys: those of the program (Esc, Ctrl+C) are its own then. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Rows that what stands here may take without pushing the transcript off the screen; at least 3. */
  get availableRows(): number {
    return this.#rows("all");
  }

  /** Has the screen drawn again: what stands here is different. */
  requestRender(): void {
    this.#options.tui.requestRender();
  }

  /** Puts another component in the editor's place. */
  setResting(component: Component): void {
    this.#resting = component;
    if (!this.#open && this.#raised.length === 0) this.#mount(component);
  }

  /** Puts a component before the editor, where it has the keys but for questions; of several the latest is seen. Returns what takes it away again. */
  raise(component: Component): () => void {
    this.#raised.push(component);
    if (!this.#open) this.#mount(this.#quiet);
    return () => {
      const index = this.#raised.indexOf(component);
      if (index < 0) return;
      this.#raised.splice(index, 1);
      if (!this.#open) this.#mount(this.#quiet);
    };
  }

  /** What stands here while nothing is asked. */
  get #quiet(): Component {
    return this.#raised.at(-1) ?? this.#resting;
  }

  /** Those too that are not shown: they come back in the theme of then. */
  override invalidate(): void {
    super.invalidate();
    for (const component of [this.#resting, ...this.#raised])
      if (!this.children.includes(component)) component.invalidate();
  }

  /** Dismisses the open dialog and all that wait: each gets the answer of Esc. */
  dismissAll(): void {
    this.#turns.refuseAll();
    this.#open?.dismiss();
  }

  choose<T>(question: ChoiceQuestion<T>, signal?: AbortSignal): Promise<T | null> {
    const guardMs = question.unasked === true ? UNASKED_GUARD_MS : 0;
    return this.#alone(signal, null, (dialogs) => dialogs.choose(question, signal), guardMs);
  }

  confirm(question: ConfirmQuestion, signal?: AbortSignal): Promise<boolean> {
    return this.#alone(signal, false, (dialogs) => dialogs.confirm(question, signal));
  }

  ask(question: TextDialogQuestion, signal?: AbortSignal): Promise<string | null> {
    return this.#alone(signal, null, (dialogs) => dialogs.ask(question, signal));
  }

  show<Answer>(
    title: string,
    dismissed: Answer,
    make: MakeDialog<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer> {
    return this.#alone(signal, dismissed, (dialogs) => dialogs.show(title, dismissed, make, signal));
  }

  page(title: string, blocks: readonly CommandBlock[], signal?: AbortSignal): Promise<void> {
    return this.#alone(signal, undefined, (dialogs) => dialogs.page(title, blocks, signal));
  }

  /**
   * Asks several questions with no other one in between. Resolves with null when `signal` is aborted before it was their turn; later
   * each of them answers as if dismissed.
   */
  together<T>(run: (dialogs: DialogSurface) => Promise<T>, options: TogetherOptions = {}): Promise<T | null> {
    return this.#alone<T | null>(options.signal, null, run, options.guardMs ?? 0, options.signal);
  }

  async #alone<T>(
    signal: AbortSignal | undefined,
    refused: T,
    run: (dialogs: DialogSurface) => Promise<T>,
    guardMs = 0,
    outer?: AbortSignal,
  ): Promise<T> {
    const end = await this.#turns.take(signal);
    if (!end) return refused;
    try {
      return await run(this.#now(guardMs, outer));
    } finally {
      end();
    }
  }

  /** Dialogs that open at once; for whoever has the turn. `outer` closes them too. */
  #now(guardMs: number, outer: AbortSignal | undefined): DialogSurface {
    const both = (signal: AbortSignal | undefined) =>
      signal && outer && signal !== outer ? AbortSignal.any([signal, outer]) : (signal ?? outer);
    const show = <Answer>(
      title: string,
      dismissed: Answer,
      signal: AbortSignal | undefined,
      make: (done: (answer: Answer) => void) => DialogView,
    ) => {
      const guard = guardLeft;
      guardLeft = 0; // what comes next was asked for by the answer before
      return this.#run(title, dismissed, both(signal), guard, make);
    };
    const environment = this.#environment;
    let guardLeft = guardMs;
    return {
      choose: async <T>(question: ChoiceQuestion<T>, signal?: AbortSignal) => {
        const make = (done: (answer: { value: T } | null) => void) =>
          new ChoiceDialog(environment, question, done);
        return (await show(question.title, null, signal, make))?.value ?? null;
      },
      confirm: (question, signal) =>
        show<boolean>(
          question.title,
          false,
          signal,
          (done) => new ConfirmDialog(environment, question, done),
        ),
      ask: (question, signal) =>
        show<string | null>(
          question.title,
          null,
          signal,
          (done) => new TextDialog(environment, question, done),
        ),
      page: (title, blocks, signal) =>
        show<void>(title, undefined, signal, (done) => new Pager(environment, title, blocks, done)),
      show: (title, dismissed, make, signal) =>
        show(title, dismissed, signal, (done) => make(environment, done)),
    };
  }

  #run<Answer>(
    title: string,
    dismissed: Answer,
    signal: AbortSignal | undefined,
    guardMs: number,
    make: (done: (answer: Answer) => void) => DialogView,
  ): Promise<Answer> {
    if (signal?.aborted) return Promise.resolve(dismissed);
    return new Promise((resolve) => {
      let finished = false;
      const finish = (answer: Answer) => {
        if (finished) return;
        finished = true;
        signal?.removeEventListener("abort", dismiss);
        this.#open = undefined;
        this.#mount(this.#quiet);
        this.#options.onOpen?.(null);
        resolve(answer);
      };
      const dismiss = () => finish(dismissed);
      signal?.addEventListener("abort", dismiss, { once: true });
      const view = new OpenDialog(make(finish), {
        now: this.#options.now,
        guardMs,
        requestRender: () => this.#options.tui.requestRender(),
      });
      this.#open = { view, dismiss };
      this.#mount(view);
      this.#options.onOpen?.(title);
    });
  }

  #mount(component: Component): void {
    this.clear();
    this.addChild(component);
    this.#options.tui.setFocus(component);
    this.#options.tui.requestRender();
  }

  /** Some: about half of the screen, so that the transcript stays readable; all: what there is, one row excepted. */
  #rows(wanted: "some" | "all"): number {
    const { rows } = this.#options.tui.terminal;
    const others = this.#options.otherRows?.() ?? 2;
    const available = Math.max(3, rows - others - 1);
    return wanted === "all" ? available : Math.min(available, Math.max(8, Math.floor(rows / 2)));
  }
}
