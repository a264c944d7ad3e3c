import { type Component, truncateToWidth } from "@earendil-works/pi-tui";
import type { AgentEvent } from "../../../contract/events.ts";
import { safeLine } from "../../shared/safe-text.ts";
import type { Theme, ThemeSource } from "../theme/theme.ts";
import { fitSegments } from "./fit-segments.ts";
import { shortCount, shortDuration } from "./short-numbers.ts";
import { WorkPhase } from "./work-phase.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** What turns beside the words. */
export interface Spinner {
  readonly frames: readonly string[];
  /** How long each is shown. */
  readonly intervalMs: number;
}

const USUAL: Spinner = { frames: FRAMES, intervalMs: 120 };
/** Without the spinner only the seconds change. */
const QUIET_TICK_MS = 1_000;
const PHASE_WIDTH = 60;

export interface WorkingLineOptions {
  readonly themes: ThemeSource;
  /** Milliseconds. */
  readonly now: () => number;
  /** Calls `tick` every `ms` milliseconds; the result ends it. */
  readonly every: (ms: number, tick: () => void) => () => void;
  readonly requestRender: () => void;
  /** What interrupts, e.g. `Esc interrupts`. */
  readonly hint: string;
}

/** The row above the input while a run is in progress: what is going on, for how long, how much was written. No row otherwise. */
export class WorkingLine implements Component {
  readonly #options: WorkingLineOptions;
  #phase = new WorkPhase();
  #startedAt: number | undefined;
  #words: string | undefined;
  #spinner: Spinner = USUAL;
  #hidden = false;
  #animated = true;
  #endTicks: (() => void) | undefined;
  #cache: { key: string; theme: Theme; lines: readonly string[] } | undefined;

  constructor(options: WorkingLineOptions) {
    this.#options = options;
  }

  /** A run started or ended. */
  setBusy(busy: boolean): void {
    if (busy === (this.#startedAt !== undefined)) return;
    this.#startedAt = busy ? this.#options.now() : undefined;
    if (busy) this.#phase = new WorkPhase();
    this.#cache = undefined;
    this.#tick();
    this.#options.requestRender();
  }

  event(event: AgentEvent): void {
    if (this.#startedAt !== undefined) this.#phase.event(event, this.#options.now());
  }

  /** Says this instead of what is going on; undefined: what is going on. */
  setWords(words: string | undefined): void {
    this.#words = words;
    this.#options.requestRender();
  }

  /** Another spinner; undefined: the usual one. Its frames are drawn as they are. */
  setSpinner(spinner: Spinner | undefined): void {
    this.#spinner = spinner ?? USUAL;
    this.#tick();
    this.#options.requestRender();
  }

  setHidden(hidden: boolean): void {
    this.#hidden = hidden;
    this.#options.requestRender();
  }

  /** Turns the spinner off while nobody looks (the window is not in front); the seconds go on. */
  setAnimated(animated: boolean): void {
    if (animated === this.#animated) return;
    this.#animated = animated;
    this.#tick();
  }

  /** Ends the ticks for good. */
  dispose(): void {
    this.#startedAt = undefined;
    this.#tick();
  }

  #tick(): void {
    this.#endTicks?.();
    this.#endTicks = undefined;
    if (this.#startedAt === undefined) return;
    this.#endTicks = this.#options.every(
      this.#animated && this.#spinner.frames.length > 1 ? this.#spinner.intervalMs : QUIET_TICK_MS,
      this.#options.requestRender,
    );
  }

  invalidate(): void {
    this.#cache = undefined;
  }

  render(width: number): readonly string[] {
    if (this.#startedAt === undefined || this.#hidden) return [];
    const theme = this.#options.themes.current;
    const now = this.#options.now();
    const elapsed = now - this.#startedAt;
    const mark = this.#mark(elapsed, theme);
    const phase = this.#words ?? this.#phase.words(now);
    const seconds = shortDuration(elapsed);
    const tokens = this.#phase.tokensOut;
    const key = [width, mark, phase, seconds, tokens].join("\n");
    if (this.#cache?.key === key && this.#cache.theme === theme) return this.#cache.lines;
    const { color } = theme;
    const words = truncateToWidth(safeLine(phase), Math.min(PHASE_WIDTH, width - 2), "…");
    const lines = fitSegments(
      [
        { rank: 0, forms: [mark + (width > 2 ? `${mark && " "}${color.text(words)}` : "")] },
        { rank: 1, forms: [color.muted(seconds)] },
        ...(tokens > 0
          ? [{ rank: 3, forms: [color.muted(`${shortCount(tokens)} tokens`)] as [string] }]
          : []),
        { rank: 2, forms: [color.muted(this.#options.hint)] },
      ],
      width,
      1,
    );
    this.#cache = { key, theme, lines };
    return lines;
  }

  #mark(elapsed: number, { color }: Theme): string {
    const { frames, intervalMs } = this.#spinner;
    if (!this.#animated) return frames.length === 0 ? "" : color.accent("•");
    const frame = frames[Math.floor(elapsed / intervalMs) % frames.length] ?? "";
    return this.#spinner === USUAL ? color.accent(frame) : frame;
  }
}
