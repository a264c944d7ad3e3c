/**
 * Many conversations in one process, driven by other programs: the socket (RPC) and editors (ACP) speak to this port and know
 * nothing of how a conversation is built.
 */
import type { AskDoor } from "./consent.ts";
import type { AgentEvent } from "./events.ts";
import type { ImagePart, Message } from "./messages.ts";
import type { ThinkingLevel } from "./model.ts";
import type { Dialogs, SlashCommandInfo } from "./slash-command.ts";

/** What lists of sessions show. `updated` is an ISO time. */
export interface HubSessionInfo {
  id: string;
  title: string;
  cwd: string;
  updated: string;
  model: string;
}

export interface HubModel {
  provider: string;
  id: string;
  name: string;
  contextWindow: number;
  /** It reads pictures. */
  images: boolean;
}

/** A tool server that a client brings for one session, beside the configured ones. */
export type HubToolServer =
  | {
      name: string;
      command: string;
      args: readonly string[];
      env: Readonly<Record<string, string>>;
    }
  | { name: string; url: string; headers: Readonly<Record<string, string>>; transport?: "http" | "sse" };

/** How a session is opened. */
export interface HubOpenOptions {
  /** The project folder; absolute. For a session of the disk it may be absent: the folder that it was begun in. */
  cwd?: string;
  toolServers?: readonly HubToolServer[];
  /** Asks the client's person before a call that a rule asks for; absent: such calls are refused. */
  ask?: AskDoor;
  /** Asks what tool servers want to know; absent: nobody is there. */
  dialogs?: Dialogs;
}

export interface HubPrompt {
  text: string;
  images?: readonly ImagePart[];
  /** What of `text` a person has typed themselves (an editor's prompt); absent: a program wrote it, and memory learns nothing from it. */
  typed?: string;
}

/** The end of a run, as its `message_end` says it. */
export type HubRunEnd = Extract<AgentEvent, { type: "message_end" }>;

/** One open conversation. Its methods reject with a PiError; `busy` is the code when a run is in progress that must not be. */
export interface HubSession {
  readonly id: string;
  readonly cwd: string;
  readonly busy: boolean;
  info(): HubSessionInfo;
  /** What was said on the active branch, as if nothing had been compacted. The list is only read. */
  messages(): readonly Message[];
  /** What the run in progress has told beyond `messages()`: the text so far of the message in progress, and calls without a result. */
  unfinished(): readonly AgentEvent[];
  /** Hears every event of every run of this session; the result removes the listener. A listener never blocks or breaks a run. */
  subscribe(listener: (event: AgentEvent) => void): () => void;
  /** Hears every message that goes into the conversation, prompts and steering among them, after it was stored. */
  watch(listener: (message: Message) => void): () => void;
  /** Starts a run; `/name` of a skill, a template or a tool server's prompt is expanded. Rejects at once with `busy`, else resolves when it has started; `ended` never rejects. */
  prompt(prompt: HubPrompt): Promise<{ ended: Promise<HubRunEnd> }>;
  /** Goes before the model with its next request; with no run in progress it is a `not_busy` error. */
  steer(text: string): void;
  /** Stops the run in progress; resolves when it is over. Nothing runs: resolves at once. */
  cancel(): Promise<void>;
  /**
   * Goes back to before the last prompt that was sent here: it and what came of it go before the model no more. Nothing is deleted, and
   * files stay as they are. Without such a prompt nothing happens. Rejects with `busy`.
   */
  takeBack(): Promise<void>;
  /** `contextWindow`: tokens of input and output together. */
  model(): { provider: string; id: string; thinking: ThinkingLevel; contextWindow: number };
  /** `provider/model`, a bare name or a role. */
  useModel(name: string): Promise<void>;
  setThinking(level: ThinkingLevel): void;
  /** Plan mode: only reading, and writing below `specs/`. */
  setMode(mode: "default" | "plan"): Promise<void>;
  readonly mode: "default" | "plan";
  /** Slash commands that can be sent as a prompt (skills, templates, prompts of tool servers). */
  commands(): readonly SlashCommandInfo[];
  /** Hears when {@link commands} may give others: a tool server has come, gone or listed anew. The result removes the listener. */
  whenCommandsChange(listener: () => void): () => void;
  tools(): readonly { name: string; description: string }[];
  /** `head` is the record that the active branch ends with; null while it is empty. */
  branches(): { active: string; names: readonly string[]; head: string | null };
  /** A branch that begins where the active one ends, or at a record that was its `head` before; it is not switched to. */
  createBranch(name: string, fromEvent?: string): Promise<void>;
  switchBranch(name: string): Promise<void>;
  compact(focus?: string): Promise<void>;
  /** Stops the run, saves the session and ends what belongs to it. */
  close(): Promise<void>;
  /** Hears once when it has been closed, by whomever; the result removes the listener. */
  whenClosed(listener: () => void): () => void;
}

/** All conversations of one process. */
export interface SessionHub {
  /** Sessions on disk, newest first; of one project, or (`all`) of every one. */
  list(options: { cwd: string; all?: boolean }): Promise<readonly HubSessionInfo[]>;
  create(options: HubOpenOptions & { cwd: string; title?: string; model?: string }): Promise<HubSession>;
  /** Opens a session of the disk, or gives the one that is open. Rejects with `no_session`, or `locked` while another process writes to it. */
  open(id: string, options: HubOpenOptions): Promise<HubSession>;
  /** One that is open. */
  get(id: string): HubSession | undefined;
  /** All that are open. */
  sessions(): readonly HubSession[];
  /** Deletes a session for good. Rejects with `no_session`, or `busy` while it runs. */
  delete(id: string): Promise<void>;
  /** What a model's name or a role stands for in a project; without one, the model of a new session. */
  modelFor(cwd: string, name?: string): Promise<{ provider: string; id: string; thinking: ThinkingLevel }>;
  models(cwd: string): Promise<readonly HubModel[]>;
  close(): Promise<void>;
}
