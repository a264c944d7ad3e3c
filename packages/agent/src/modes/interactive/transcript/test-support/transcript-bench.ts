import { ScrollView, Text, TuiAltScreen, VStack } from "@earendil-works/pi-tui";
import { ManualClock } from "../../../../agent/test-support/manual-clock.ts";
import type { AgentEvent } from "../../../../contract/events.ts";
import type { JsonObject } from "../../../../contract/json.ts";
import { noUsage } from "../../../../contract/messages.ts";
import { FakeTerminal } from "../../test-support/fake-terminal.ts";
import { testThemes } from "../../test-support/plain-theme.ts";
import { createTranscript } from "../create-transcript.ts";

/** A transcript in a scroll view above one row, on a terminal in memory. Frames are drawn when the test says so. */
export class TranscriptBench {
  readonly clock = new ManualClock();
  readonly themes = testThemes();
  readonly terminal: FakeTerminal;
  readonly tui: TuiAltScreen;
  readonly scroll: ScrollView;
  readonly view: ReturnType<typeof createTranscript>;
  #asked = false;

  constructor(columns = 80, rows = 24) {
    this.terminal = new FakeTerminal(columns, rows);
    this.tui = new TuiAltScreen(this.terminal);
    this.view = createTranscript({
      themes: this.themes,
      clock: this.clock,
      images: false,
      cwd: "/project",
      requestFrame: () => {
        this.#asked = true;
      },
      screenRows: () => this.terminal.rows,
    });
    this.scroll = new ScrollView(this.view, { follow: "end", primary: true });
    this.view.attach(this.scroll);
    this.tui.setLayoutRoot(
      new VStack([
        { component: this.scroll, basis: 0, grow: 1, shrink: 1, minSize: 1 },
        { component: new Text("status", 0, 0), basis: "auto", shrink: 1, minSize: 1 },
      ]),
    );
    this.tui.start();
  }

  /** One frame. */
  frame(): void {
    this.#asked = false;
    this.tui.renderNow();
  }

  /** Frames until none is asked for; fails when that never ends. */
  settle(): void {
    for (let count = 0; count < 10; count++) {
      this.frame();
      if (!this.#asked) return;
    }
    throw new Error("the transcript asks for frames without end");
  }

  /** The rows above the status row. */
  async screen(): Promise<string[]> {
    return (await this.terminal.screen()).slice(0, -1);
  }

  /** All rows as text, drawn at a width of its own. */
  rows(width: number): string[] {
    return [...this.view.render(width)].map((row) => row.replaceAll("\x1b]133;A\x07", ""));
  }

  say(...events: AgentEvent[]): void {
    for (const event of events) this.view.event(event);
  }

  [Symbol.dispose](): void {
    this.tui.stop({ preserveScreen: true });
  }
}

export const start: AgentEvent = {
  type: "message_start",
  agent: "pi",
  model: "m",
  provider: "p",
  role: "assistant",
  cwd: "/project",
};

export function text(delta: string): AgentEvent {
  return { type: "text_delta", delta };
}

export function turnEnd(): AgentEvent {
  return { type: "turn_end", turn: 1, usage: noUsage(), stop_reason: "end" };
}

export function runEnd(stop: "end" | "aborted" | "length", answer = "x"): AgentEvent {
  return { type: "message_end", stop_reason: stop, text: answer, turns: 1, usage: noUsage(), duration_ms: 1 };
}

export function call(id: string, name: string, input: JsonObject): AgentEvent {
  return { type: "tool_call", id, tool_name: name, tool_input: input };
}

export function result(
  id: string,
  name: string,
  content: string,
  details: JsonObject = {},
  isError = false,
): AgentEvent {
  return {
    type: "tool_result",
    id,
    tool_name: name,
    content,
    is_error: isError,
    details: { outcome: "found", ...details },
    duration_ms: 5,
  };
}
