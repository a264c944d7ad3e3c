/** What this adapter uses of the plugin API of OpenCode 2, as its public sources have it. */

export interface TextPiece {
  readonly type: string;
  readonly text?: string;
  /** Of a tool's result. */
  readonly name?: string;
  readonly result?: { readonly type: string; readonly value: unknown };
}

export interface RequestMessage {
  readonly id?: string;
  readonly role: string;
  readonly content: readonly TextPiece[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A request before it goes out; changed in place. Of a conversation's own requests the kind is `primary`. */
export interface RequestEvent {
  readonly sessionID: string;
  readonly kind?: string;
  readonly system: { type: "text"; text: string }[];
  readonly messages: RequestMessage[];
}

export interface PromptEvent {
  readonly sessionID: string;
  readonly messageID: string;
  readonly prompt: { readonly text: string };
  /** What whoever prompted says of the prompt. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface ToolEvent {
  readonly tool: string;
  readonly sessionID: string;
  readonly id: string;
  readonly input: unknown;
  readonly status: string;
  readonly result?: ToolResult;
  readonly error?: { readonly message?: string };
}

export interface ToolResult {
  readonly content?: string | readonly TextPiece[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface AddedTool {
  readonly name: string;
  readonly description: string;
  /** A JSON schema. */
  readonly input: object;
  /** Callable by its bare name, not only from code. */
  readonly options: { readonly codemode: false };
  readonly execute: (
    input: unknown,
    context: { readonly sessionID: string; readonly signal?: AbortSignal },
  ) => Promise<ToolResult>;
}

export interface Registration {
  dispose?(): Promise<void> | void;
}

type Hook<Events> = <Name extends keyof Events>(
  name: Name,
  handler: (event: Events[Name]) => Promise<void> | void,
) => Promise<Registration | undefined> | Registration | undefined;

export interface V2Context {
  readonly options?: unknown;
  readonly app?: { readonly version?: unknown };
  readonly location?: { readonly directory?: string };
  readonly session: {
    readonly hook: Hook<{ prompt: PromptEvent; context: RequestEvent; compaction: RequestEvent }>;
    get?(request: { sessionID: string }): Promise<unknown>;
  };
  readonly tool?: {
    readonly hook?: Hook<{ "execute.after": ToolEvent }>;
    transform?(
      edit: (editor: { add(tool: AddedTool): void }) => void,
    ): Promise<Registration | undefined> | Registration | undefined;
  };
}

/** Whether a context has what memory needs. Earlier hosts call `setup` too, with a context that knows no sessions. */
export function isV2Context(context: unknown): context is V2Context {
  return (
    typeof context === "object" &&
    context !== null &&
    typeof (context as { session?: { hook?: unknown } }).session?.hook === "function"
  );
}
