import { THINKING_LEVELS } from "../../commands/slash/shared/model-words.ts";
import { errorMessage, PiError } from "../../contract/errors.ts";
import type { AgentEvent } from "../../contract/events.ts";
import type { Message, UserMessage } from "../../contract/messages.ts";
import type { ThinkingLevel } from "../../contract/model.ts";
import type { HubPrompt, HubRunEnd, HubSession, HubSessionInfo } from "../../contract/session-hub.ts";
import type { SlashCommandInfo } from "../../contract/slash-command.ts";
import type { ExtensionHost } from "../../extension/pi/host/extension-host.ts";
import type { App } from "../app.ts";
import { chooseRunModel, resolveOptions } from "../choose-model.ts";
import { expandPrompt } from "../expand-prompt.ts";
import { logEvents } from "../log-events.ts";
import type { Notices } from "../notices.ts";
import type { Settings } from "../run-setup.ts";
import { branchFrom } from "./branch-from.ts";
import { completeRun } from "./complete-run.ts";
import { ExclusiveWork } from "./exclusive-work.ts";
import type { HubParts } from "./hub-parts.ts";
import { takeBack } from "./take-back.ts";
import type { Told } from "./told.ts";
import { wantedModel } from "./wanted-model.ts";

export interface ServedSessionParts extends Pick<HubParts, "flags" | "place"> {
  app: App;
  settings: Settings;
  notices: Notices;
  told: Told;
  /** It was closed. */
  onClosed(): void;
}

/** A conversation of the hub: an app of its own, with settings, trust, doors and a lock of its own. */
export class ServedSession implements HubSession {
  readonly #parts: ServedSessionParts;
  readonly #app: App;
  readonly #work = new ExclusiveWork();
  /** The run in progress still takes in steering. */
  #listens = false;
  #closing: Promise<void> | undefined;
  /** The record of the last prompt. */
  #prompt: string | null = null;
  readonly #closed = Promise.withResolvers<void>();

  constructor(parts: ServedSessionParts) {
    this.#parts = parts;
    this.#app = parts.app;
    parts.told.watch((message) => {
      if (message.role === "user" && message.origin === "user") this.#prompt = this.#app.session.head;
    });
  }

  get id(): string {
    return this.#app.session.id;
  }

  get cwd(): string {
    return this.#app.doors.cwd;
  }

  get busy(): boolean {
    return this.#work.busy;
  }

  /** It has something on disk, so that it can be closed and opened again. */
  get kept(): boolean {
    const { folder, head, degraded } = this.#app.session;
    return folder !== null && head !== null && !degraded;
  }

  /** Something goes on in it besides runs: commands in the background, subagents. */
  get working(): boolean {
    return (
      this.busy ||
      this.#app.subagents.running() > 0 ||
      this.#app.background.list().some(({ exit }) => exit === undefined)
    );
  }

  whenClosed(listener: () => void): () => void {
    return this.#parts.told.whenClosed(listener);
  }

  /** Resolves when it is closed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Somebody closes it, or has closed it. */
  get closing(): boolean {
    return this.#closing !== undefined;
  }

  /** Somebody listens. */
  get heard(): boolean {
    return this.#parts.told.heard;
  }

  info(): HubSessionInfo {
    const { id, title, updated } = this.#app.session.meta;
    const { provider, id: model } = this.#app.options.model;
    return { id, title: title ?? "", cwd: this.cwd, updated, model: `${provider}/${model}` };
  }

  messages(): readonly Message[] {
    try {
      return this.#app.session.said();
    } catch (thrown) {
      this.#parts.notices.warn(errorMessage(thrown));
      return this.#app.session.messages();
    }
  }

  unfinished(): readonly AgentEvent[] {
    return this.#parts.told.unfinished;
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    return this.#parts.told.subscribe(listener);
  }

  watch(listener: (message: Message) => void): () => void {
    return this.#parts.told.watch(listener);
  }

  async prompt(prompt: HubPrompt): Promise<{ ended: Promise<HubRunEnd> }> {
    this.#mustBeOpen();
    return this.#work.start(async (signal) => {
      // Before the first wait: what is sent right behind the prompt finds the run.
      this.#listens = true;
      try {
        const message = await this.#message(prompt, signal);
        return () => this.#run(message, signal);
      } catch (thrown) {
        this.#listens = false;
        this.#app.runner.takeQueued();
        throw thrown;
      }
    });
  }

  steer(text: string): void {
    if (!this.#listens || this.#work.stopping)
      throw new PiError({
        code: "not_busy",
        message: "no run is in progress that this could go to",
        hint: "Send it as a prompt.",
      });
    this.#app.runner.steer(text);
  }

  cancel(): Promise<void> {
    return this.#work.cancel();
  }

  takeBack(): Promise<void> {
    return this.#alone(async () => {
      if (this.#prompt === null) return;
      await takeBack(this.#app, this.#prompt);
      this.#prompt = null;
    });
  }

  model(): ReturnType<HubSession["model"]> {
    const { model, thinking } = this.#app.options;
    return { provider: model.provider, id: model.id, thinking, contextWindow: model.contextWindow };
  }

  /** Those of its conversation; null when it has none. */
  get extensions(): ExtensionHost | null {
    return this.#app.extensions.host;
  }

  async useModel(name: string): Promise<void> {
    this.#mustBeOpen();
    const { flags, settings, place, notices } = this.#parts;
    const options = await resolveOptions(flags, settings, place.environment, place.home, notices);
    const wanted = { ...options, ...wantedModel(name, settings) };
    const around = { ...place, flags, settings, notices, doors: { mode: "rpc" }, host: this.extensions };
    this.#app.useModel(await chooseRunModel(wanted, null, around));
  }

  setThinking(level: ThinkingLevel): void {
    this.#mustBeOpen();
    if (!(THINKING_LEVELS as readonly string[]).includes(level))
      throw new PiError({
        code: "thinking_level",
        message: `"${level}" is no level of thinking`,
        hint: `Levels: ${THINKING_LEVELS.join(", ")}.`,
      });
    this.#app.setThinking(level);
  }

  get mode(): "default" | "plan" {
    return this.#app.planMode.on ? "plan" : "default";
  }

  async setMode(mode: "default" | "plan"): Promise<void> {
    this.#mustBeOpen();
    this.#app.planMode.set(mode === "plan");
  }

  commands(): readonly SlashCommandInfo[] {
    const { extensions, mcp, skills } = this.#app;
    return [...(skills?.library?.commands() ?? []), ...extensions.commands(), ...mcp.commands()];
  }

  whenCommandsChange(listener: () => void): () => void {
    return this.#parts.told.whenCommandsChange(listener);
  }

  tools(): readonly { name: string; description: string }[] {
    if (!this.busy) this.#app.mcp.takeOver();
    return this.#app.mcp.tools().map(({ name, description }) => ({ name, description }));
  }

  branches(): { active: string; names: readonly string[]; head: string | null } {
    const { session } = this.#app;
    return {
      active: session.branch,
      names: session.branches().map(({ name }) => name),
      head: session.head,
    };
  }

  createBranch(name: string, fromEvent?: string): Promise<void> {
    return this.#alone(async () => branchFrom(this.#app.session, name, fromEvent));
  }

  switchBranch(name: string): Promise<void> {
    return this.#alone(async () => {
      this.#app.session.switchBranch(name);
      this.#prompt = null;
      this.#app.session.sync();
    });
  }

  async compact(focus?: string): Promise<void> {
    await this.#alone(async (signal) => {
      let last: Extract<AgentEvent, { type: "compaction" }> | undefined;
      let failure: string | undefined;
      const request = { signal, ...(focus === undefined ? {} : { focus }) };
      for await (const event of logEvents(this.#app.runner.compact(request), this.#app.logger)) {
        if (event.type === "compaction") last = event;
        if (event.type === "error") failure = event.message;
        this.#parts.told.event(event);
      }
      if (last?.phase === "end") return;
      throw new PiError({
        code: signal.aborted ? "aborted" : "not_compacted",
        message: last?.reason ?? failure ?? "there was nothing to compact",
        hint: "The conversation is as it was.",
      });
    });
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      try {
        await this.#work.cancel();
        await this.#app.close();
      } finally {
        this.#parts.onClosed();
        this.#closed.resolve();
        this.#parts.told.closed();
      }
    })();
    return this.#closing;
  }

  /** Something that no run may go on beside. */
  async #alone(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#mustBeOpen();
    const { ended } = await this.#work.start(async (signal) => () => work(signal));
    await ended;
  }

  async #message({ text, images = [], typed = "" }: HubPrompt, signal: AbortSignal): Promise<UserMessage> {
    const expanded = await expandPrompt(this.#app, text, signal);
    this.#app.memory.typedPart(expanded, expanded === text ? typed : "");
    this.#app.logger.log({ type: "user", content: expanded });
    return { role: "user", origin: "user", parts: [{ type: "text", text: expanded }, ...images] };
  }

  async #run(message: UserMessage, signal: AbortSignal): Promise<HubRunEnd> {
    const { notices, told } = this.#parts;
    const { runner, logger } = this.#app;
    let end: HubRunEnd | undefined;
    for await (const event of completeRun(
      notices.within(logEvents(this.#untilEnd(runner.run(message, signal)), logger)),
    )) {
      if (event.type === "message_end") end = event;
      told.event(event);
    }
    return end!;
  }

  /** What came too late to be used is told, not kept for a run that nobody asked for. */
  async *#untilEnd(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent> {
    for await (const event of events) {
      if (event.type === "message_end") {
        this.#listens = false;
        const left = this.#app.runner.takeQueued().map(({ text }) => JSON.stringify(text.slice(0, 200)));
        if (left.length > 0)
          this.#parts.notices.warn(
            `the run ended before it could use ${left.join(", ")}: send it again as a prompt`,
          );
      }
      yield event;
    }
  }

  #mustBeOpen(): void {
    if (this.#closing === undefined) return;
    throw new PiError({
      code: "no_session",
      message: `session ${this.id} was closed`,
      hint: "Open it again.",
    });
  }
}
