import type { TuiMouseEvent, TuiMouseEventResult } from "@earendil-works/pi-tui";
import type { AgentEvent } from "../../../contract/events.ts";
import type { ExtensionMessage } from "../../../contract/extension-surface.ts";
import type { HostChange, PlacedMessage, PromptInput } from "../../../contract/interactive.ts";
import type { ImagePart, Message } from "../../../contract/messages.ts";
import type { Clock } from "../../../contract/services.ts";
import { formatCount } from "../../../platform/format-count.ts";
import type { ThemeSource } from "../theme/theme.ts";
import { appendCommand } from "./blocks/command-blocks.ts";
import { ExtensionBlock } from "./blocks/extension-block.ts";
import { FoldedText } from "./blocks/folded-text.ts";
import { ImageBlock } from "./blocks/image-block.ts";
import { MessageBlock, type ProgramMessage } from "./blocks/message-block.ts";
import { PromptBlock, type PromptRole } from "./blocks/prompt-block.ts";
import { RetryBlock } from "./blocks/retry-block.ts";
import type { Block } from "./document/block.ts";
import type { CustomRenderers } from "./document/custom-renderers.ts";
import type { FoldAll } from "./document/fold.ts";
import { LazyDocument } from "./document/lazy-document.ts";
import { Finder } from "./find.ts";
import { Highlighter } from "./highlight/highlighter.ts";
import { loadMessages } from "./load-messages.ts";
import { StreamedText } from "./markdown/streamed-text.ts";
import { ShellCard } from "./tools/shell-card.ts";
import { ToolCard } from "./tools/tool-card.ts";
import type { ToolEnd } from "./tools/tool-run.ts";
import type { TranscriptView, Viewport } from "./transcript-view.ts";
import { runEndMessage } from "./turn-end.ts";

/** What the transcript needs of its surroundings. */
export interface TranscriptPorts {
  themes: ThemeSource;
  clock: Clock;
  /** Whether pictures are drawn where the terminal can. */
  images: boolean;
  /** The project folder, absolute. */
  cwd: string;
  /** Asks for a frame: grammars were loaded, or heights had to be found out. */
  requestFrame(): void;
  /** Rows of the terminal. */
  screenRows(): number;
  /** Pictures of a tool's result, which its event does not carry; looked up once, when it ends. */
  resultImages?(callId: string): readonly ImagePart[];
  /** Draws what extensions know how to draw, while there are any. */
  custom?(): CustomRenderers | undefined;
}

type ShellChange = Extract<HostChange, { type: "shell" }>;

const thinkingWords = { growing: "Thinking,", ended: "Thought for" };

/** {@link TranscriptView} over a {@link LazyDocument}: turns what happens into blocks. */
export class Transcript implements TranscriptView {
  readonly #ports: TranscriptPorts;
  readonly #document: LazyDocument;
  readonly #finder: Finder;
  readonly #highlighter: Highlighter;
  #tools: FoldAll = { open: false, generation: 0 };
  #thinkingFold: FoldAll = { open: false, generation: 0 };
  #answer: StreamedText | undefined;
  #thinking: FoldedText | undefined;
  #thinkingLabel: string | undefined;
  #retry: RetryBlock | undefined;
  #compaction: MessageBlock | undefined;
  /** The last thing of the run was a notice or an error, which says why it ends. */
  #told = false;
  readonly #cards = new Map<string, ToolCard>();
  readonly #shells = new Map<string, ShellCard>();

  constructor(ports: TranscriptPorts) {
    this.#ports = ports;
    this.#highlighter = new Highlighter(() => {
      this.#document.restyle("same");
      ports.requestFrame();
    });
    this.#document = new LazyDocument({
      context: () => ({
        theme: ports.themes.current,
        now: ports.clock.now(),
        highlighter: this.#highlighter,
        tools: this.#tools,
        thinking: this.#thinkingFold,
        images: ports.images,
        cwd: ports.cwd,
        custom: ports.custom?.(),
        requestFrame: ports.requestFrame,
      }),
      requestFrame: () => ports.requestFrame(),
      screenRows: () => ports.screenRows(),
    });
    this.#finder = new Finder(this.#document);
  }

  get blockCount(): number {
    return this.#document.length;
  }

  get ticking(): boolean {
    const now = this.#ports.clock.now();
    for (const block of this.#document.inView()) if (block.tick(now) !== undefined) return true;
    return false;
  }

  attach(viewport: Viewport): void {
    this.#document.attach(viewport);
  }

  render(width: number): readonly string[] {
    return this.#document.render(Math.max(1, Math.floor(width)));
  }

  invalidate(): void {
    this.#document.restyle("same");
  }

  /** Resolves when the grammars asked for so far are loaded. */
  highlighted(): Promise<void> {
    return this.#highlighter.settled();
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    if (event.button !== "left" || (event.type !== "press" && event.type !== "click")) return undefined;
    const hit = this.#document.at(event.y);
    if (!hit?.block.clickable(hit.row)) return undefined;
    if (event.type === "click") {
      this.#document.pin(hit.block);
      hit.block.click(this.#document.drawContext);
    }
    return { handled: true, render: event.type === "click" };
  }

  load(messages: readonly Message[], shown: readonly PlacedMessage[] = []): void {
    this.clear();
    loadMessages(messages, shown, {
      prompt: (input, as) => this.prompt(input, as),
      text: (text) => this.#text(text),
      thinking: (text) => this.#think(text),
      endOfText: () => this.#closeText(),
      call: (id, name, input) => this.#call(id, name, input),
      result: (id, name, end, images) => this.#result(id, name, end, images),
      dropCall: (id) => this.#dropCall(id),
      shell: (change) => this.shell(change),
      summary: (text, of) => this.#summary(text, of),
      message: (message) => this.#say(message),
      custom: (message) => this.message(message),
    });
  }

  clear(): void {
    this.#document.clear();
    this.#finder.clear();
    this.#answer = undefined;
    this.#thinking = undefined;
    this.#retry = undefined;
    this.#compaction = undefined;
    this.#told = false;
    this.#cards.clear();
    this.#shells.clear();
  }

  event(event: AgentEvent): void {
    switch (event.type) {
      case "message_start":
        this.#closeText();
        this.#told = false;
        return;
      case "text_delta":
        this.#text(event.delta);
        return;
      case "thinking_delta":
        this.#think(event.delta);
        return;
      case "tool_call":
        this.#call(event.id, event.tool_name, event.tool_input, this.#ports.clock.now());
        return;
      case "tool_progress":
        this.#cards.get(event.id)?.progress(event.delta);
        return;
      case "tool_result": {
        const { id, tool_name, content, is_error, details } = event;
        const images = this.#ports.resultImages?.(id) ?? [];
        this.#result(id, tool_name, { content, isError: is_error, details }, images);
        return;
      }
      case "turn_end":
        this.#closeText();
        this.#endRetry();
        return;
      case "retry":
        this.#endRetry();
        this.#retry = new RetryBlock(event.attempt, this.#ports.clock.now() + event.delay_ms, event.reason);
        this.#document.append(this.#retry);
        return;
      case "compaction":
        this.#compact(event);
        return;
      case "notice":
        this.#told = event.level === "warning";
        this.notice(event.level, event.message);
        return;
      case "error":
        this.#told = true;
        this.notice("error", event.message, event.hint);
        return;
      case "message_end":
        this.#endRun(event.stop_reason, event.text);
        return;
    }
  }

  prompt(input: PromptInput, as: PromptRole): void {
    this.#document.append(new PromptBlock(input.text, as));
    for (const image of input.images) this.#document.append(new ImageBlock(image));
  }

  shell(change: ShellChange): void {
    const card = this.#shells.get(change.id);
    if (card) card.update(change);
    else {
      const ended = change.exitCode !== undefined;
      const added = new ShellCard(change, ended ? undefined : this.#ports.clock.now());
      this.#shells.set(change.id, added);
      this.#document.append(added);
    }
  }

  notice(level: "info" | "warning" | "error", message: string, hint?: string): void {
    const mark = level === "error" ? "✗" : level === "warning" ? "!" : "•";
    this.#say({ mark, role: level, text: message, hint });
  }

  /** What an extension sent or keeps. */
  message(message: ExtensionMessage): void {
    this.#document.append(new ExtensionBlock(message));
  }

  /** Blocks are drawn anew, and maybe higher: others draw them now. O(blocks), draws nothing. */
  restyle(): void {
    this.#document.restyle("changed");
  }

  /** Whether all tool cards are open. */
  get toolsOpen(): boolean {
    return this.#tools.open;
  }

  command(line: string, blocks: Extract<HostChange, { type: "command" }>["blocks"], failed: boolean): void {
    appendCommand(this.#document, line, blocks, failed);
  }

  toggleTools(): boolean {
    this.#tools = { open: !this.#tools.open, generation: this.#tools.generation + 1 };
    this.#document.restyle("changed");
    return this.#tools.open;
  }

  toggleThinking(): boolean {
    const { open, generation } = this.#thinkingFold;
    this.#thinkingFold = { open: !open, generation: generation + 1 };
    this.#document.restyle("changed");
    return !open;
  }

  /** Stands in place of how long was thought; undefined: that. */
  setThinkingLabel(label: string | undefined): void {
    this.#thinkingLabel = label;
    this.#document.restyle("changed");
  }

  find(query: string, direction: "next" | "previous" | "first"): { match: number; total: number } {
    return this.#finder.find(query, direction);
  }

  clearFind(): void {
    this.#finder.clear();
  }

  takeRenderCount(): number {
    return this.#document.takeDrawCount();
  }

  #text(delta: string): void {
    this.#endRetry();
    this.#closeThinking();
    this.#told = false;
    this.#answer ??= new StreamedText(this.#document);
    this.#answer.append(delta);
  }

  #think(delta: string): void {
    this.#endRetry();
    this.#answer = undefined;
    this.#thinking ??= new FoldedText(this.#document, {
      ...thinkingWords,
      instead: () => this.#thinkingLabel,
    });
    this.#thinking.append(delta);
  }

  #closeThinking(): void {
    this.#thinking?.end();
    this.#thinking = undefined;
  }

  #closeText(): void {
    this.#closeThinking();
    this.#answer = undefined;
  }

  #call(id: string, name: string, input: ToolCardInput, startedAt?: number): void {
    this.#closeText();
    this.#endRetry();
    this.#told = false;
    const card = new ToolCard({
      id,
      name,
      input,
      live: "",
      ...(startedAt === undefined ? {} : { startedAt }),
    });
    this.#cards.set(id, card);
    this.#document.append(card);
  }

  #result(id: string, name: string, end: ToolEnd, images: readonly ImagePart[]): void {
    if (!this.#cards.has(id)) this.#call(id, name, {});
    const card = this.#cards.get(id)!;
    card.end(end);
    // No more is to come for it: a long session must not keep all ids.
    this.#cards.delete(id);
    let last: Block = card;
    for (const image of images) {
      const block = new ImageBlock(image);
      this.#document.insertAfter(last, block);
      last = block;
    }
  }

  #dropCall(id: string): void {
    const card = this.#cards.get(id);
    if (card) this.#document.remove(card);
    this.#cards.delete(id);
  }

  #summary(text: string, of: "before" | "branch"): void {
    const title = `Summary of ${of === "branch" ? "another branch" : "the conversation before"}:`;
    const summary = new FoldedText(this.#document, { growing: title, ended: title });
    summary.append(text);
    summary.end();
  }

  #endRetry(): void {
    if (this.#retry) this.#document.remove(this.#retry);
    this.#retry = undefined;
  }

  #compact(event: Extract<AgentEvent, { type: "compaction" }>): void {
    const message = compactionMessage(event);
    if (this.#compaction && this.#document.has(this.#compaction)) this.#compaction.message = message;
    else {
      this.#compaction = new MessageBlock(message);
      this.#document.append(this.#compaction);
    }
    if (event.phase !== "start") this.#compaction = undefined;
  }

  #endRun(stop: Extract<AgentEvent, { type: "message_end" }>["stop_reason"], text: string): void {
    this.#closeText();
    this.#endRetry();
    const message = runEndMessage(stop, text.trim() === "", this.#told);
    if (message) this.#say(message);
    this.#told = false;
  }

  #say(message: ProgramMessage): void {
    this.#document.append(new MessageBlock(message));
  }
}

type ToolCardInput = ConstructorParameters<typeof ToolCard>[0]["input"];

function compactionMessage(event: Extract<AgentEvent, { type: "compaction" }>): ProgramMessage {
  const { phase, kind } = event;
  const what = kind === "shed" ? "Shortening old tool results" : "Summarising the conversation";
  const before = `${formatCount(event.tokens_before)} tokens`;
  if (phase === "start") return { mark: "·", role: "muted", text: `${what} (${before})…` };
  if (phase === "failed")
    return { mark: "!", role: "warning", text: `${what} did not make room (${before})` };
  const done = kind === "shed" ? "Old tool results shortened" : "Conversation summarised";
  return { mark: "✓", role: "muted", text: `${done}: ${before} to ${formatCount(event.tokens_after)}` };
}
