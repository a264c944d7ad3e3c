import { errorMessage } from "../../contract/errors.ts";
import type { AgentEvent } from "../../contract/events.ts";
import type { HostChange, PromptInput, QueuedPrompt } from "../../contract/interactive.ts";
import { textOf, type UserMessage } from "../../contract/messages.ts";
import type { App } from "../app.ts";
import { logEvents } from "../log-events.ts";
import type { Notices } from "../notices.ts";

type How = QueuedPrompt["as"];

export interface RunControlParts {
  notices: Notices;
  emit(change: HostChange): void;
  /** After each run: counts and branches may have changed. */
  onEnd(): void;
}

/** The runs of the program: one at a time, with the queue of what was typed meanwhile. Prompts that come before there is an app wait for it. */
export class RunControl {
  readonly #parts: RunControlParts;
  #app: App | undefined;
  #abort: AbortController | undefined;
  #ended: Promise<void> = Promise.resolve();
  /** Typed before the program was ready. */
  #early: { input: PromptInput; how: How }[] = [];
  /** Output of `!commands` that ended during a run: it goes into the history when the run is over. */
  #deferred: UserMessage[] = [];

  constructor(parts: RunControlParts) {
    this.#parts = parts;
  }

  get busy(): boolean {
    return this.#abort !== undefined;
  }

  /** Resolves when no run is in progress. */
  get idle(): Promise<void> {
    return this.#ended;
  }

  /** From now on runs are runs of this app; what was typed early is sent. Call it only while idle. */
  use(app: App): void {
    this.#app = app;
    const [first, ...rest] = this.#early.splice(0);
    if (first === undefined) return;
    this.#start(app, userMessage(first.input));
    for (const { input, how } of rest) this.#queue(app, input, how);
    this.#tellQueue();
  }

  send(input: PromptInput, how: How): void {
    if (this.#app === undefined) {
      this.#early.push({ input, how });
      this.#tellQueue();
    } else if (this.busy) {
      this.#queue(this.#app, input, how);
      this.#tellQueue();
    } else this.#start(this.#app, userMessage(input));
  }

  /** Puts the output of a person's command before the model with the next request. */
  addToHistory(message: UserMessage): void {
    if (this.busy || this.#app === undefined) this.#deferred.push(message);
    else this.#app.options.conversation.append(message);
  }

  /** Runs something else that yields events (a compaction) as if it were a run; the result is false when one is in progress. */
  async exclusive(
    events: (app: App, signal: AbortSignal) => AsyncIterable<AgentEvent>,
    see: (event: AgentEvent) => void,
  ): Promise<boolean> {
    const app = this.#app;
    if (app === undefined || this.busy) return false;
    this.#drive(app, (signal) => seen(events(app, signal), see));
    await this.#ended;
    return true;
  }

  /** Runs what an extension asks for as if a person had; resolves when it is over, at once when a run is in progress. */
  async drive(events: (signal: AbortSignal) => AsyncIterable<AgentEvent>): Promise<void> {
    await this.exclusive(
      (_, signal) => events(signal),
      () => undefined,
    );
  }

  /** Stops the run in progress; what waits in the queue comes back as a draft when it is over. */
  interrupt(): boolean {
    if (this.#abort === undefined || this.#abort.signal.aborted) return false;
    this.#abort.abort();
    return true;
  }

  waiting(): readonly QueuedPrompt[] {
    const early = this.#early.map(({ input, how }) => ({ text: input.text, as: how }));
    return [...early, ...(this.#app?.runner.queued() ?? [])];
  }

  /** Empties the queue. */
  take(): readonly QueuedPrompt[] {
    const taken = this.waiting();
    const early = this.#early.flatMap(({ input }) => input.images);
    this.#early = [];
    const queued = (this.#app?.runner.takeQueued() ?? []).flatMap((one) => one.images ?? []);
    this.#tellQueue();
    this.#tellLost(early.length + queued.length);
    return taken;
  }

  /** The queue changed by itself: the runner took from it. */
  tellQueue(): void {
    this.#tellQueue();
  }

  #start(app: App, message: UserMessage): void {
    // What a hook kept from being sent is the person's to change.
    const giveBack = (event: AgentEvent) => {
      if (event.type === "error" && event.code === "prompt_blocked")
        this.#parts.emit({ type: "draft", text: textOf(message.parts) });
    };
    this.#drive(app, (signal) => seen(app.runner.run(message, signal), giveBack));
  }

  #drive(app: App, begin: (signal: AbortSignal) => AsyncIterable<AgentEvent>): void {
    const abort = new AbortController();
    this.#abort = abort;
    for (const message of this.#deferred.splice(0)) app.options.conversation.append(message);
    this.#parts.emit({ type: "busy", busy: true });
    this.#ended = this.#consume(app, begin(abort.signal)).then(() => this.#finish(app, abort.signal.aborted));
  }

  async #consume(app: App, events: AsyncIterable<AgentEvent>): Promise<void> {
    const { emit, notices } = this.#parts;
    try {
      for await (const event of notices.within(logEvents(events, app.logger))) emit({ type: "event", event });
    } catch (thrown) {
      // The loop never throws; if it does, that is a bug which must not take the person's program with it.
      emit({ type: "notice", level: "error", message: `${errorMessage(thrown)} (this is a bug in pi)` });
    }
  }

  #finish(app: App, interrupted: boolean): void {
    this.#abort = undefined;
    for (const message of this.#deferred.splice(0)) app.options.conversation.append(message);
    const left = app.runner.takeQueued();
    this.#parts.emit({ type: "busy", busy: false });
    this.#tellQueue();
    this.#parts.onEnd();
    if (left.length === 0) return;
    const text = left.map((one) => one.text).join("\n\n");
    const images = left.flatMap((one) => one.images ?? []);
    if (!interrupted) {
      this.send({ text, images }, "steer");
      return;
    }
    this.#parts.emit({ type: "draft", text });
    this.#tellLost(images.length);
  }

  /** A draft holds text only: a picture that cannot go back into it is not dropped without a word. */
  #tellLost(pictures: number): void {
    if (pictures === 0) return;
    const which = pictures === 1 ? "the picture that waited is" : `the ${pictures} pictures that waited are`;
    const message = `${which} not in the draft: add ${pictures === 1 ? "it" : "them"} again before you send it`;
    this.#parts.emit({ type: "notice", level: "warning", message });
  }

  #queue(app: App, input: PromptInput, how: How): void {
    if (how === "steer") app.runner.steer(input);
    else app.runner.followUp(input);
  }

  #tellQueue(): void {
    this.#parts.emit({ type: "queue", waiting: this.waiting() });
  }
}

/** What a person typed, as a message of the history. */
export function userMessage({ text, images }: PromptInput): UserMessage {
  return { role: "user", origin: "user", parts: [{ type: "text", text }, ...images] };
}

async function* seen(
  events: AsyncIterable<AgentEvent>,
  see: (event: AgentEvent) => void,
): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    see(event);
    yield event;
  }
}
