/** What this adapter uses of OpenCode's plugin API, as its published program has it; a test compares it with the published types. */

/** One part of a message; the kinds that are not named here are passed over. */
export interface HostPart {
  id: string;
  sessionID: string;
  messageID: string;
  type: string;
  text?: string;
  /** Put in by the host or a plugin, not by whoever prompted. */
  synthetic?: boolean;
  /** Shown to people, never sent. */
  ignored?: boolean;
  tool?: string;
  callID?: string;
  state?: HostToolState;
  time?: { start?: number; end?: number; created?: number };
}

export interface HostToolState {
  status: string;
  input?: Readonly<Record<string, unknown>>;
  output?: string;
  error?: string;
  metadata?: Readonly<Record<string, unknown>>;
}

export interface HostMessageInfo {
  id: string;
  sessionID: string;
  role: string;
  time: { created: number; completed?: number };
  /** Of an assistant's message: why it ended. */
  finish?: string;
  error?: unknown;
  /** True for the message that holds a compaction's summary; an object with the changes on a user's message. */
  summary?: unknown;
}

export interface HostMessage {
  info: HostMessageInfo;
  parts: HostPart[];
}

export interface HostSession {
  readonly id: string;
  readonly parentID?: string;
  readonly version?: string;
}

/** Something that happened, as the host tells every plugin. */
export interface HostEvent {
  readonly type: string;
  readonly properties: unknown;
}

export interface HostClient {
  readonly session: {
    get(request: { path: { id: string } }): Promise<{ data?: HostSession | undefined }>;
  };
  readonly app: {
    log(request: {
      body: { service: string; level: "debug" | "info" | "warn" | "error"; message: string };
    }): Promise<unknown>;
  };
}

/** What `server` is given; one call for each folder that is worked in. */
export interface HostInput {
  readonly client: HostClient;
  readonly directory: string;
  readonly worktree: string;
}

export interface HostToolContext {
  readonly sessionID: string;
  readonly abort: AbortSignal;
}

export interface HostTool {
  description: string;
  /** Empty: the schema is set by `tool.definition`, and arguments are checked by the tool itself. */
  args: Record<string, never>;
  execute(args: Readonly<Record<string, unknown>>, context: HostToolContext): Promise<string>;
}

/** The hooks that memory uses. The host keeps its own references: outputs are changed in place. */
export interface HostHooks {
  config?: (config: { instructions?: string[] }) => Promise<void>;
  event?: (input: { event: HostEvent }) => Promise<void>;
  dispose?: () => Promise<void>;
  tool?: Record<string, HostTool>;
  "tool.definition"?: (input: { toolID: string }, output: { description: string }) => Promise<void>;
  "shell.env"?: (input: { callID?: string }, output: { env: Record<string, string> }) => Promise<void>;
  "command.execute.before"?: (
    input: { command: string; sessionID: string },
    output: { parts: readonly HostPart[] },
  ) => Promise<void>;
  "chat.message"?: (
    input: PromptInput,
    output: { message: { id: string }; parts: HostPart[] },
  ) => Promise<void>;
  "experimental.chat.messages.transform"?: (
    input: Record<never, never>,
    output: { messages: HostMessage[] },
  ) => Promise<void>;
  "experimental.session.compacting"?: (
    input: { sessionID: string },
    output: { context: string[] },
  ) => Promise<void>;
}

/** What tells where a prompt came from, as far as the host says it. */
export interface PromptInput {
  readonly sessionID: string;
  readonly agent?: string;
  readonly model?: unknown;
  readonly messageID?: string;
}
