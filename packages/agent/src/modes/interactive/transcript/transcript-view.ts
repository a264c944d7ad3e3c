import type { Component } from "@earendil-works/pi-tui";
import type { AgentEvent } from "../../../contract/events.ts";
import type { HostChange, PromptInput } from "../../../contract/interactive.ts";
import type { Message } from "../../../contract/messages.ts";

/** The scroll position around the document, as pi-tui's `ScrollView` has it. */
export interface Viewport {
  readonly scrollTop: number;
  readonly viewportHeight: number;
  readonly isFollowingEnd: boolean;
  scrollTo(top: number, options?: { disableFollow?: boolean }): void;
  /** Tells new heights ahead of the layout that does so too, so that {@link Viewport.scrollTo} does not clamp to old ones. */
  updateLayout(contentHeight: number, viewportHeight: number, requestRender: () => void): void;
}

/**
 * The conversation as a document of blocks: sources are kept, rows are rendered when they are seen. Every method is O(1) in the
 * number of blocks, or bound to the screen, unless it says otherwise; none renders. The owner asks for a frame afterwards.
 */
export interface TranscriptView extends Component {
  /** Joins the document with the scroll view it is the direct child of. */
  attach(viewport: Viewport): void;
  /** Replaces everything by a conversation (O(messages), no rendering). */
  load(messages: readonly Message[]): void;
  event(event: AgentEvent): void;
  prompt(input: PromptInput, as: "prompt" | "steer" | "follow_up"): void;
  shell(change: Extract<HostChange, { type: "shell" }>): void;
  notice(level: "info" | "warning" | "error", message: string, hint?: string): void;
  command(line: string, blocks: Extract<HostChange, { type: "command" }>["blocks"], failed: boolean): void;
  clear(): void;
  /** Opens or closes all tool cards; the result is the new state. O(blocks), draws nothing. */
  toggleTools(): boolean;
  /** Opens or closes all thinking, likewise. */
  toggleThinking(): boolean;
  /** The next block after (or before) the one in view whose source text contains `query`, scrolled to; runs on source text (O(blocks)). */
  find(query: string, direction: "next" | "previous" | "first"): { match: number; total: number };
  clearFind(): void;
  /** Blocks rendered since the last call; a test keeps it bound to the screen. */
  takeRenderCount(): number;
  readonly blockCount: number;
  /** Whether something in view changes with time (a running tool's elapsed time): the owner then draws a frame each second. */
  readonly ticking: boolean;
}
