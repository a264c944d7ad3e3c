/** The port between the interactive surface and the program behind it. The surface draws and reads keys; it decides nothing else. */
import type { CommandBlock } from "./command.ts";
import type { AskDoor, TrustAnswer, TrustRequest } from "./consent.ts";
import type { AgentEvent } from "./events.ts";
import type { ExtensionMessage, ExtensionSurface } from "./extension-surface.ts";
import type { ImagePart, Message } from "./messages.ts";
import type { ThinkingLevel } from "./model.ts";
import type { Confinement } from "./process.ts";
import type { ArgumentCompletion, Dialogs, SlashCommandInfo } from "./slash-command.ts";
import type { AgentBoard } from "./subagents.ts";

/** What a person sends: text as typed (pastes expanded) and pasted images. */
export interface PromptInput {
  text: string;
  images: ImagePart[];
}

/** A part of the program that starts behind the first frame. */
export interface StartPart {
  name: string;
  /** `off`: not configured or turned off. A failed part stops nothing; `detail` says why. */
  state: "waiting" | "loading" | "ready" | "failed" | "off";
  /** For people: what was found ("12 tools"), or why it failed. */
  detail?: string;
}

/** What the status line shows. A fact that is not known yet is absent. */
export interface StatusFacts {
  /** Absent until the model is chosen. */
  model?: { provider: string; id: string; name: string; thinking: ThinkingLevel };
  /** The role the model plays (`default`, `smol`, …). */
  role: string;
  /** Tokens that the next request will take, and the model's window. */
  context?: { tokens: number; window: number };
  /** US dollars of this session since it was opened; absent when a price is not known. */
  costUsd?: number;
  /** The day's tokens of all processes; `limit` 0 = none. */
  day?: { used: number; limit: number };
  /** The project folder: an absolute real path. */
  cwd: string;
  gitBranch?: string;
  session?: { id: string; branch: string; title?: string; onDisk: boolean };
  subagents: number;
  backgroundCommands: number;
  /** Absent while there is no memory in this program or it is off. */
  memory?: { state: "ready" | "loading" | "failed"; count: number };
  mcp?: { ready: number; failed: number; total: number };
  confinement?: Confinement;
  /** The mode of the session when it is not the ordinary one, e.g. `plan`. */
  mode?: string;
}

/** Something that the surface has to show. */
export type HostChange =
  /** An event of the run in progress. */
  | { type: "event"; event: AgentEvent }
  /** A message of a person went into the conversation. */
  | { type: "prompt"; input: PromptInput; as: "prompt" | "steer" | "follow_up" }
  /** The queue of waiting messages changed. */
  | { type: "queue"; waiting: readonly QueuedPrompt[] }
  /** Status facts or start parts changed: ask for them again. */
  | { type: "status" }
  /** Another conversation is shown from now on (resume, clear, branch switch, rewind, compaction undo): draw {@link InteractiveHost.messages} anew. */
  | { type: "conversation"; reason: string }
  /** Output of a `!command` of the user's, as it comes and when it is over. */
  | {
      type: "shell";
      id: string;
      command: string;
      kept: boolean;
      output: string;
      exitCode?: number | null;
      seconds?: number;
    }
  | { type: "notice"; level: "info" | "warning" | "error"; message: string; hint?: string }
  /** What a slash command gave back. */
  | { type: "command"; line: string; blocks: readonly CommandBlock[]; failed: boolean }
  /** A text for the editor (after an interrupt, out of the history); `replace`: what is there goes into the editor's history, else it stays below. */
  | { type: "draft"; text: string; replace?: boolean }
  /** A run started or ended. */
  | { type: "busy"; busy: boolean }
  | { type: "settings" }
  /** The surface has to restore the terminal and end. `restart`: the process replaces itself afterwards. */
  | { type: "quit"; restart: boolean };

export interface QueuedPrompt {
  text: string;
  as: "steer" | "follow_up";
}

/** Display settings of the surface, from the configuration; they may change while it runs ({@link HostChange} `settings`). */
export interface DisplaySettings {
  /** Name of a theme; absent: found from the terminal. */
  theme?: string;
  notify: "off" | "bell" | "desktop";
  vim: boolean;
  keybindings: Readonly<Record<string, string | readonly string[]>>;
}

/** A key and what it does. */
export interface KeyBinding {
  /** The name that `keybindings` in the configuration uses. */
  action: string;
  /** What it does, for people. */
  description: string;
  /** The keys as people write them (`Ctrl+R`); empty when it has none. */
  keys: readonly string[];
  /** The heading it stands under. */
  group: string;
  /** The configuration set these keys. */
  changed: boolean;
}

/** A key that several actions want at once, or a key setting that cannot be used (`key` is what was set, `problem` says why). */
export interface KeyConflict {
  key: string;
  actions: readonly string[];
  problem?: string;
}

export interface ThemeChoice {
  name: string;
  /** For people. */
  title: string;
  kind: "dark" | "light";
}

/** What the program behind the surface may ask of it. */
export interface SurfaceControl {
  readonly dialogs: Dialogs;
  /** Asks before a tool call runs. */
  readonly consent: AskDoor;
  /** Asks whether what a project brings may act. */
  trust(request: TrustRequest): Promise<TrustAnswer>;
  readonly themes: {
    list(): readonly ThemeChoice[];
    /** The theme that is drawn now. */
    current(): string;
    /** Draws with another theme until it is told otherwise; null draws with the one that is set. */
    preview(name: string | null): void;
  };
  readonly keys: {
    list(): readonly KeyBinding[];
    conflicts(): readonly KeyConflict[];
  };
  /** Shows subagents in the editor's place, as they are from moment to moment; resolves when the person leaves or `signal` aborts. */
  agents(board: AgentBoard, signal: AbortSignal): Promise<void>;
  /** What extensions may draw and ask; loaded when it is first asked for, and the same one each time. */
  extensions(): Promise<ExtensionSurface>;
  /** Puts a text onto the system's clipboard, or gives it to the terminal to do so (which may refuse without a word). */
  copy(text: string): Promise<"clipboard" | "terminal" | { reason: string }>;
}

/** A message of an extension's and how many of the conversation's messages come before it. */
export interface PlacedMessage {
  readonly after: number;
  readonly message: ExtensionMessage;
}

/** The program behind the surface. Nothing here throws; what fails comes as a `notice` or as a failed command. */
export interface InteractiveHost {
  /** Begins to load what lies behind the first frame; called once, after it was drawn. */
  start(surface: SurfaceControl): void;
  /** Adds a listener; the result removes it. */
  subscribe(listener: (change: HostChange) => void): () => void;
  parts(): readonly StartPart[];
  status(): StatusFacts;
  display(): DisplaySettings;
  /** The conversation so far, of a resumed session. The list is live and is only read. */
  messages(): readonly Message[];
  /** What extensions showed in it; drawn where it was. */
  extensionMessages(): readonly PlacedMessage[];
  /** Pictures in the result of a tool call that has just ended; its event does not carry them. */
  resultImages(callId: string): readonly ImagePart[];
  /** A run is in progress. */
  readonly busy: boolean;
  /** Something runs that {@link InteractiveHost.interrupt} would stop: an answer, a `!command` or a slash command. */
  readonly stoppable: boolean;
  /**
   * Sends a prompt: starts a run, or waits for what it needs to start one, or (while a run is in progress) waits in the queue:
   * `steer` goes before the model with its next request, `follow_up` after the answer.
   */
  send(input: PromptInput, how: "steer" | "follow_up"): void;
  /** Runs `command` with bash in the project; `keep` puts it and its output into the context of the next request. */
  shell(command: string, keep: boolean): void;
  /** Stops what is running (the answer, a `!command`, a slash command); the queue comes back as a `draft`. False: nothing ran. */
  interrupt(): boolean;
  /** Takes the queue back, for editing. */
  takeQueue(): readonly QueuedPrompt[];
  commands(): readonly SlashCommandInfo[];
  /** Completions of a command's argument; empty when it has none. */
  completeArgument(
    name: string,
    argument: string,
    signal: AbortSignal,
  ): Promise<readonly ArgumentCompletion[]>;
  /** Runs a slash command: `name` without the slash. Its result comes as a `command` change. */
  command(name: string, argument: string): void;
  /** Files and folders of the project whose path matches, best first; folders end with `/`. */
  findFiles(query: string, limit: number, signal: AbortSignal): Promise<readonly string[]>;
  /** Earlier prompts of this project, the latest last. */
  promptHistory(): readonly string[];
  /** Ends the program in order: the run is interrupted, the session saved, every child ended. */
  quit(): void;
}
