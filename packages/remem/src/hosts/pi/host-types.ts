/**
 * The little of Pi's extension API that memory uses, by shape: this package depends on no package of Pi's. A test compares these types with
 * the published ones where those are installed.
 */

/** A block of a message: text, thinking, an image, a tool call. Unknown ones are left alone. */
export interface PiBlock {
  readonly type: string;
  readonly text?: string;
  /** Of a tool call. */
  readonly name?: string;
  readonly arguments?: unknown;
}

/** A message of Pi's conversation, of any role. */
export interface PiMessage {
  readonly role: string;
  readonly content?: string | readonly PiBlock[];
  readonly timestamp?: number;
  readonly stopReason?: string;
  readonly toolName?: string;
  /** Of what stands for a part that was compacted or left. */
  readonly summary?: string;
  /** Of a shell command of the user's. */
  readonly command?: string;
  readonly output?: string;
}

/** An entry of a session's tree. */
export interface PiEntry {
  readonly type: string;
  readonly id: string;
  readonly message?: PiMessage;
  /** Of a custom message. */
  readonly content?: string | readonly PiBlock[];
  /** Of a compaction or a branch that was left. */
  readonly summary?: string;
}

/** A model, as far as its limits go. */
export interface PiModel {
  readonly id: string;
  readonly contextWindow: number;
  readonly maxTokens: number;
}

export interface PiUserText {
  readonly role: "user";
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly timestamp: number;
}

export interface PiCompletion {
  readonly content: readonly PiBlock[];
  readonly stopReason: string;
  readonly usage?: unknown;
}

/** What an event comes with. Getters of a context whose session is over throw. */
export interface PiContext {
  readonly mode: string;
  readonly hasUI: boolean;
  readonly cwd: string;
  readonly ui: { notify(message: string, type?: "info" | "warning" | "error"): void };
  readonly sessionManager: {
    getSessionId(): string;
    getLeafId(): string | null;
    getHeader(): { readonly parentSession?: string | undefined } | null;
  };
  readonly model: PiModel | undefined;
  readonly modelRegistry: {
    complete(
      model: never,
      context: { systemPrompt?: string; messages: PiUserText[] },
      options?: { signal?: AbortSignal; maxTokens?: number; cacheRetention?: "none" },
    ): Promise<PiCompletion>;
  };
}

export interface PiSessionStart {
  readonly reason: string;
}

export interface PiSessionShutdown {
  readonly reason: string;
}

export interface PiInput {
  readonly text: string;
  readonly source: "interactive" | "rpc" | "extension";
}

export type PiBeforeAgentStart = {
  readonly systemPromptOptions: { readonly sections: Record<string, string> };
} & ({ readonly messageType: "user"; readonly prompt: string } | { readonly messageType: "custom" });

export interface PiContextEvent {
  readonly messages: PiMessage[];
}

export interface PiAgentEnd {
  readonly messages: readonly PiMessage[];
}

export interface PiAgentSettled {
  readonly aborted: boolean;
}

export interface PiToolResult {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly content: readonly PiBlock[];
  readonly isError: boolean;
}

export interface PiBeforeCompact {
  readonly preparation: {
    readonly firstKeptEntryId: string;
    readonly messagesToSummarize: readonly PiMessage[];
    readonly turnPrefixMessages: readonly PiMessage[];
    readonly tokensBefore: number;
    readonly previousSummary?: string | undefined;
    readonly fileOps: {
      readonly read: ReadonlySet<string>;
      readonly written: ReadonlySet<string>;
      readonly edited: ReadonlySet<string>;
    };
  };
  readonly customInstructions?: string | undefined;
  readonly signal: AbortSignal;
}

export interface PiBeforeTree {
  readonly preparation: {
    readonly entriesToSummarize: readonly PiEntry[];
    readonly userWantsSummary: boolean;
    readonly customInstructions?: string | undefined;
    readonly replaceInstructions?: boolean | undefined;
  };
  readonly signal: AbortSignal;
}

export interface PiCompaction {
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  details?: unknown;
  usage?: unknown;
}

export interface PiToolOutcome {
  content: { type: "text"; text: string }[];
  details: unknown;
}

export interface PiTool {
  name: string;
  label: string;
  description: string;
  promptSnippet: string;
  /** JSON Schema. */
  parameters: { readonly type: "object" };
  annotations: { readOnlyHint: boolean };
  execute(toolCallId: string, args: unknown, signal: AbortSignal | undefined): Promise<PiToolOutcome>;
}

type Handler<Event, Result = undefined> = (event: Event, context: PiContext) => Promise<Result | undefined>;

/** The events that memory hears of, and what it may answer. */
export interface PiHandlers {
  readonly session_start: Handler<PiSessionStart>;
  /** Comes after every extension has had its `session_start`. */
  readonly resources_discover: Handler<object>;
  readonly session_shutdown: Handler<PiSessionShutdown>;
  readonly input: Handler<PiInput>;
  readonly before_agent_start: Handler<PiBeforeAgentStart>;
  readonly context: Handler<PiContextEvent, { messages: PiMessage[] }>;
  readonly tool_result: Handler<PiToolResult>;
  readonly agent_end: Handler<PiAgentEnd>;
  readonly agent_settled: Handler<PiAgentSettled>;
  readonly session_before_compact: Handler<PiBeforeCompact, { compaction: PiCompaction }>;
  readonly session_before_tree: Handler<PiBeforeTree, { summary: { summary: string; usage?: unknown } }>;
}

/** What an extension is handed when it is loaded. */
export interface PiApi {
  /** Not Pi's: another program that loads Pi's extensions says here which one it is. */
  readonly host?: string;
  on<Name extends keyof PiHandlers>(event: Name, handler: PiHandlers[Name]): unknown;
  registerTool(tool: PiTool): void;
  getAllTools(): readonly { readonly name: string }[];
}
