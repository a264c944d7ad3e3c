import type {
  ContentBlock,
  PromptResponse,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
  StopReason,
} from "@agentclientprotocol/sdk";
import { PiError } from "../../contract/errors.ts";
import type { AgentEvent, RunStop } from "../../contract/events.ts";
import type { HubModel, HubSession, HubToolServer } from "../../contract/session-hub.ts";
import type { ClientFacts } from "./client-facts.ts";
import { EventUpdates } from "./event-updates.ts";
import { FileChanges, type ReadText } from "./file-changes.ts";
import { historyUpdates } from "./history-updates.ts";
import type { AskingSession } from "./permission-requests.ts";
import { promptContent } from "./prompt-content.ts";
import { protocolError, runError } from "./protocol-error.ts";
import { textBlock } from "./result-content.ts";
import { availableCommands, ownCommand } from "./session-commands.ts";
import { configOptions, modeState, setConfigOption, setMode } from "./session-options.ts";
import { SessionUsage } from "./session-usage.ts";

const STOPS: Readonly<Record<RunStop, StopReason>> = {
  end: "end_turn",
  length: "max_tokens",
  max_turns: "max_turn_requests",
  limit: "max_turn_requests",
  aborted: "cancelled",
  error: "end_turn",
};

export interface ServedSessionOptions {
  session: HubSession;
  /** The project folder as the editor names it. */
  cwd: string;
  /** The editor's own tool servers that it was opened with. */
  servers: readonly HubToolServer[];
  client: ClientFacts;
  readText: ReadText;
  send(update: SessionUpdate): void;
  /** The models that can be used; asked for once. */
  models(): Promise<readonly HubModel[]>;
}

/** What is set in a session, as it is told when one is opened. */
export interface SessionState {
  modes: SessionModeState;
  configOptions: SessionConfigOption[];
}

/** One conversation of the hub, as an editor sees it. */
export class ServedSession {
  readonly asking: AskingSession;
  readonly #options: ServedSessionOptions;
  readonly #usage: SessionUsage;
  readonly #listening: readonly (() => void)[];
  #models: readonly HubModel[] = [];
  #failure: Extract<AgentEvent, { type: "error" }> | undefined;
  /** Resolves when the prompt that is answered is over; null without one. */
  #prompting: Promise<void> | null = null;
  #cancelled = false;
  /** How often it was cancelled: also a prompt that still waits for its turn is. */
  #cancels = 0;
  /** What the editor was last told, so that it hears of changes only. */
  #told: { title: string; mode: string; commands: string };

  constructor(options: ServedSessionOptions) {
    const { session, client, readText, send } = options;
    const { id, cwd: real } = session;
    const folder = { real, shown: options.cwd };
    const changes = new FileChanges(folder, readText);
    const updates = new EventUpdates({ folder, client, changes, send });
    this.asking = { id, folder, updates, changes };
    this.#options = options;
    this.#usage = new SessionUsage(session.messages());
    this.#told = { title: session.info().title, mode: session.mode, commands: "" };
    this.#listening = [
      session.watch((message) => updates.stored(message)),
      session.subscribe((event) => this.#hear(event)),
      // Before they are announced the editor does not know the session.
      session.whenCommandsChange(() => this.#told.commands !== "" && this.#tellCommands()),
    ];
  }

  get servers(): readonly HubToolServer[] {
    return this.#options.servers;
  }

  /** Whether it is this conversation, and not one of the same id that was opened anew. */
  serves(session: HubSession): boolean {
    return this.#options.session === session;
  }

  state(): SessionState {
    const { session } = this.#options;
    return { modes: modeState(session), configOptions: configOptions(session, this.#models) };
  }

  /** Says which of the servers that the editor brings are not among those that the session was opened with. */
  tellUnused(wanted: readonly HubToolServer[]): void {
    const had = new Set(this.servers.map((server) => JSON.stringify(server)));
    const unused = wanted.filter((server) => !had.has(JSON.stringify(server))).map(({ name }) => name);
    if (unused.length > 0)
      this.asking.updates.take({
        type: "notice",
        level: "warning",
        message: `this session is open already and keeps its tool servers; not used: ${unused.join(", ")}. Close it and load it again`,
      });
  }

  /** Tells what comes after the answer that opened the session: its commands, and the models once they are known. */
  async announce(): Promise<void> {
    this.#tellCommands();
    // A service that does not list its models costs the session nothing but the list.
    this.#models = await this.#options.models().catch(() => []);
    if (this.#models.length > 0) this.#tellOptions();
  }

  /** Sends the conversation so far. */
  replay(): void {
    const { session, send } = this.#options;
    for (const update of historyUpdates(session.messages(), this.asking.folder)) send(update);
  }

  /**
   * Answers a prompt. Rejects with a protocol error for what ends a run badly, and with `busy` while another is being answered;
   * one that was cancelled is waited for, since editors send what comes instead of it at once. `signal` cancels it.
   */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const cancels = this.#cancels;
    while (this.#prompting !== null) {
      if (!this.#cancelled) throw busy();
      await this.#prompting;
      if (this.#cancels !== cancels || signal.aborted) return { stopReason: "cancelled" };
    }
    const over = Promise.withResolvers<void>();
    this.#prompting = over.promise;
    this.#cancelled = false;
    this.#failure = undefined;
    const onAbort = () => void this.cancel();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return { stopReason: await this.#answer(promptContent(blocks, this.asking.folder)) };
    } catch (thrown) {
      if (this.#cancelled) return { stopReason: "cancelled" };
      throw protocolError(thrown);
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#prompting = null;
      this.#tellChanges();
      over.resolve();
    }
  }

  /** Stops what is in progress; resolves when it is over. */
  async cancel(): Promise<void> {
    this.#cancelled = true;
    this.#cancels++;
    await this.#options.session.cancel();
  }

  async setMode(mode: string): Promise<void> {
    await setMode(this.#options.session, mode);
    this.#tellChanges();
  }

  /** Gives all options as they are then. */
  async setOption(option: string, value: string | boolean): Promise<SessionConfigOption[]> {
    await setConfigOption(this.#options.session, option, value);
    this.#tellChanges();
    return this.state().configOptions;
  }

  /** Lets the session go without ending it. */
  release(): void {
    for (const stop of this.#listening) stop();
  }

  /** Stops and ends the session. */
  async close(): Promise<void> {
    this.#cancelled = true;
    this.#cancels++;
    await this.#options.session.close();
    this.release();
  }

  async #answer(prompt: ReturnType<typeof promptContent>): Promise<StopReason> {
    const { session, send } = this.#options;
    const command = ownCommand(prompt.text);
    if (command !== null) {
      const text = await command(session);
      send({ sessionUpdate: "agent_message_chunk", content: textBlock(text) });
      return this.#cancelled ? "cancelled" : "end_turn";
    }
    const { ended } = await session.prompt(prompt);
    // It may have been cancelled between the question and the start of the run.
    if (this.#cancelled) void session.cancel();
    const { stop_reason: stop } = await ended;
    if (this.#cancelled || stop === "aborted") return "cancelled";
    if (this.#failure === undefined || (stop !== "error" && stop !== "limit")) return STOPS[stop];
    if (this.#failure.code !== "filtered") throw runError(this.#failure);
    // What the protocol means by a refusal: the prompt and what came of it are no part of the conversation any more.
    await session.takeBack();
    return "refusal";
  }

  #hear(event: AgentEvent): void {
    if (event.type === "error") this.#failure = event;
    this.asking.updates.take(event);
    if (event.type !== "turn_end") return;
    const usage = this.#usage.turn(event.usage, this.#options.session.model().contextWindow);
    if (usage !== null) this.#options.send({ sessionUpdate: "usage_update", ...usage });
  }

  #tellCommands(): void {
    const commands = availableCommands(this.#options.session);
    const key = JSON.stringify(commands);
    if (key === this.#told.commands) return;
    this.#told.commands = key;
    this.#options.send({ sessionUpdate: "available_commands_update", availableCommands: commands });
  }

  #tellOptions(): void {
    this.#options.send({ sessionUpdate: "config_option_update", configOptions: this.state().configOptions });
  }

  /** The title comes with the first answer; the mode may be changed by more than the editor. */
  #tellChanges(): void {
    const { session, send } = this.#options;
    const { title, updated } = session.info();
    if (title !== this.#told.title) send({ sessionUpdate: "session_info_update", title, updatedAt: updated });
    if (session.mode !== this.#told.mode) {
      send({ sessionUpdate: "current_mode_update", currentModeId: session.mode });
      this.#tellOptions();
    }
    this.#told = { ...this.#told, title, mode: session.mode };
  }
}

function busy(): PiError {
  return new PiError({
    code: "busy",
    message: "this session is busy with a prompt",
    hint: "wait for its answer, or cancel it",
  });
}
