import {
  type Component,
  decodeKittyPrintable,
  type Focusable,
  getKeybindings,
  type TuiMouseEvent,
  type TuiMouseEventResult,
  truncateToWidth,
} from "@earendil-works/pi-tui";
import type { AgentBoard, LeftAgentWork } from "../../../contract/subagents.ts";
import { keyRow, titleRow } from "../dialog/dialog-frame.ts";
import { ScrollWindow } from "../dialog/scroll-window.ts";
import type { Theme, ThemeSource } from "../theme/theme.ts";
import type { Timers } from "../timers.ts";
import { type AgentEntry, agentEntries, atWork } from "./agent-entries.ts";
import { entryRows, idWidth } from "./agent-rows.ts";
import { AgentTranscript } from "./agent-transcript.ts";

/** Times and tokens go on without an event. */
const TICK_MS = 1_000;
const ROWS_OF_ENTRY = 2;

export interface AgentsViewParts {
  board: AgentBoard;
  themes: ThemeSource;
  timers: Pick<Timers, "every">;
  /** The most rows that it may take. */
  rows(): number;
  requestRender(): void;
  /** Runs `/agents` with this argument. */
  command(argument: string): void;
  /** The person leaves. */
  onClose(): void;
}

/** What can be done with an entry: the key, what it does, the word for `/agents`, and whether it can be done now. */
interface Action {
  key: string;
  does: string;
  word: string;
  /** The command asks by itself; else the key is pressed twice, since it may have been meant for the editor. */
  asks?: true;
  fits(entry: AgentEntry): boolean;
}

const ACTIONS: readonly Action[] = [
  { key: "s", does: "stops it", word: "stop", fits: (entry) => "report" in entry && atWork(entry.report) },
  { key: "a", does: "applies", word: "apply", fits: holdsWork },
  { key: "m", does: "merges", word: "merge", fits: holdsWork },
  { key: "d", does: "drops", word: "drop", asks: true, fits: holdsWork },
];

function holdsWork(entry: AgentEntry): boolean {
  return "work" in entry || (entry.report.change !== null && !atWork(entry.report));
}

/**
 * Subagents as they are from moment to moment, in the editor's place, and the transcript of one. Nothing is done while none of them
 * works and no key comes; a frame costs what is in view.
 */
export class AgentsView implements Component, Focusable {
  /** Keys of the viewport are its own. */
  readonly capturesViewportInput = true;
  focused = false;
  readonly #parts: AgentsViewParts;
  readonly #list = new ScrollWindow();
  readonly #unsubscribe: () => void;
  #left: readonly LeftAgentWork[] = [];
  /** The id of the marked entry; null: the first one. */
  #marked: string | null = null;
  #open: { id: string; transcript: AgentTranscript } | null = null;
  /** The key that was pressed once, and for which entry. */
  #armed: { action: Action; id: string } | null = null;
  #stopTicks: (() => void) | undefined;
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #closed = false;

  constructor(parts: AgentsViewParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.board.subscribe((what) => {
      if (what === "left") this.#look();
      this.#changed();
    });
    this.#look();
    this.#changed();
  }

  /** Ends what it listens to. */
  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    this.#stopTicks?.();
    this.#stopTicks = undefined;
  }

  // what is kept of rows is kept by width and theme
  invalidate(): void {
    return;
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    const key = decodeKittyPrintable(data) ?? data;
    const entries = this.#entries();
    const entry = this.#markedIn(entries);
    const action = ACTIONS.find((each) => each.key === key);
    const armed = this.#armed;
    this.#armed = null;
    if (keys.matches(data, "tui.select.cancel") || key === "q") this.#back();
    else if (entry !== undefined && action?.fits(entry)) this.#act(action, entry.id, armed);
    else if (this.#open !== null) this.#open.transcript.handleKey(data);
    else if (keys.matches(data, "tui.select.confirm") && entry !== undefined && "agent" in entry)
      this.#open = { id: entry.id, transcript: new AgentTranscript() };
    else this.#move(data, key, entries);
    this.#parts.requestRender();
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    if (event.type !== "wheel" || !event.wheelDelta) return undefined;
    if (this.#open !== null) this.#open.transcript.scrollBy(event.wheelDelta);
    else this.#step(this.#entries(), Math.sign(event.wheelDelta));
    this.#parts.requestRender();
    return { handled: true };
  }

  render(width: number): readonly string[] {
    const theme = this.#parts.themes.current;
    const entries = this.#entries();
    const rows = Math.max(3, this.#parts.rows());
    const lines = this.#open === null ? null : this.#transcript(entries, width, rows, theme);
    return (lines ?? this.#table(entries, width, rows, theme)).map((line) =>
      truncateToWidth(line, width, ""),
    );
  }

  #table(entries: readonly AgentEntry[], width: number, rows: number, theme: Theme): string[] {
    const each = rows >= 2 + ROWS_OF_ENTRY ? ROWS_OF_ENTRY : 1;
    const marked = this.#markedIn(entries);
    this.#list.resize(entries.length, Math.min(entries.length, Math.floor((rows - 2) / each)));
    this.#list.reveal(entries.findIndex(({ id }) => id === marked?.id));
    const { top } = this.#list;
    const shown = entries.slice(top, top + Math.floor((rows - 2) / each));
    const ids = idWidth(shown, width);
    const body = shown.flatMap((entry) =>
      entryRows(entry, entry.id === marked?.id, ids, width, theme).slice(0, each),
    );
    return [
      titleRow(titleOf(entries), width, theme, this.#list.place),
      ...(body.length === 0 ? [theme.color.muted("  nothing runs, and nothing is left")] : body),
      keyRow(
        [
          ...this.#actions(marked),
          ...(marked !== undefined && "agent" in marked ? ([["Enter", "opens it"]] as const) : []),
          ["Esc", "leaves"],
        ],
        width,
        theme,
      ),
    ];
  }

  /** Null: it is not there any more. */
  #transcript(entries: readonly AgentEntry[], width: number, rows: number, theme: Theme): string[] | null {
    const open = this.#open!;
    const entry = entries.find(({ id }) => id === open.id);
    if (entry === undefined || !("agent" in entry)) return null;
    const head = entryRows(entry, false, idWidth([entry], width), width, theme);
    const above = rows >= 6 ? head : [];
    const body = open.transcript.view(entry.agent.steps(), width, rows - 2 - above.length, theme);
    return [
      titleRow(`Subagent ${entry.id}`, width, theme, open.transcript.window.place),
      ...above,
      ...body,
      keyRow(
        [...this.#actions(entry), ["Esc", "back"], ["PgUp/PgDn", "reads"], ["End", "follows"]],
        width,
        theme,
      ),
    ];
  }

  #actions(entry: AgentEntry | undefined): [string, string][] {
    const armed = this.#armed;
    if (armed !== null) return [[armed.action.key, `again: ${armed.action.word} ${armed.id}`]];
    return ACTIONS.filter(({ fits }) => entry !== undefined && fits(entry)).map(({ key, does }) => [
      key,
      does,
    ]);
  }

  #entries(): AgentEntry[] {
    return agentEntries(this.#parts.board.agents(), this.#left);
  }

  #markedIn(entries: readonly AgentEntry[]): AgentEntry | undefined {
    const wanted = this.#open?.id ?? this.#marked;
    return entries.find(({ id }) => id === wanted) ?? entries[0];
  }

  #back(): void {
    if (this.#open === null) this.#parts.onClose();
    else {
      this.#marked = this.#open.id;
      this.#open = null;
    }
  }

  #act(action: Action, id: string, armed: { action: Action; id: string } | null): void {
    const sure = action.asks === true || (armed?.action === action && armed.id === id);
    if (sure) this.#parts.command(`${action.word} ${id}`);
    else this.#armed = { action, id };
  }

  #move(data: string, key: string, entries: readonly AgentEntry[]): void {
    const keys = getKeybindings();
    const page = Math.max(1, Math.floor((this.#parts.rows() - 2) / ROWS_OF_ENTRY));
    if (keys.matches(data, "tui.select.up") || key === "k") this.#step(entries, -1);
    else if (keys.matches(data, "tui.select.down") || key === "j") this.#step(entries, 1);
    else if (keys.matches(data, "tui.select.pageUp")) this.#step(entries, -page);
    else if (keys.matches(data, "tui.select.pageDown")) this.#step(entries, page);
  }

  #step(entries: readonly AgentEntry[], by: number): void {
    const at = entries.findIndex(({ id }) => id === this.#markedIn(entries)?.id);
    this.#marked = entries[Math.max(0, Math.min(entries.length - 1, at + by))]?.id ?? null;
  }

  /** Something is different: it is drawn, and time passes on the screen as long as one works. */
  #changed(): void {
    if (this.#closed) return;
    const works = this.#parts.board.agents().some((agent) => atWork(agent.report()));
    if (works) this.#stopTicks ??= this.#parts.timers.every(TICK_MS, () => this.#changed());
    else {
      this.#stopTicks?.();
      this.#stopTicks = undefined;
    }
    this.#parts.requestRender();
  }

  /** Looks for work that is left, one look at a time. */
  #look(): void {
    this.#lookAgain = true;
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = null;
    });
  }

  async #lookOnce(): Promise<void> {
    while (this.#lookAgain && !this.#closed) {
      this.#lookAgain = false;
      try {
        this.#left = await this.#parts.board.left();
      } catch {
        // the command tells of a git that fails
      }
      if (!this.#closed) this.#parts.requestRender();
    }
  }
}

function titleOf(entries: readonly AgentEntry[]): string {
  const working = entries.filter((entry) => "report" in entry && atWork(entry.report)).length;
  const left = entries.filter(holdsWork).length;
  const parts = [
    ...(working === 0 ? [] : [`${working} at work`]),
    ...(left === 0 ? [] : [`${left} with work to join or drop`]),
  ];
  return parts.length === 0 ? "Subagents" : `Subagents: ${parts.join(", ")}`;
}
