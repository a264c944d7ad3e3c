import type {
  AddedTool,
  PromptEvent,
  RequestEvent,
  RequestMessage,
  ToolEvent,
  V2Context,
} from "../v2-types.ts";

/** Messages of the newer host are objects of a class. */
export class FakeMessage implements RequestMessage {
  readonly id?: string;
  readonly role: string;
  readonly content: RequestMessage["content"];

  constructor(role: string, text: string, id?: string) {
    this.role = role;
    this.content = [{ type: "text", text }];
    if (id !== undefined) this.id = id;
  }
}

type Handlers = {
  prompt: (event: PromptEvent) => Promise<void> | void;
  context: (event: RequestEvent) => Promise<void> | void;
  compaction: (event: RequestEvent) => Promise<void> | void;
  "execute.after": (event: ToolEvent) => Promise<void> | void;
};

/**
 * The newer host as far as plugins see it, after its public sources: hooks are registered at domains and taken back by what that gives,
 * requests are changed in place, titles and summaries have hooks of their own.
 */
export class FakeV2Host {
  readonly context: V2Context & { readonly title: never[] };
  readonly tools = new Map<string, AddedTool>();
  readonly #handlers: Partial<Handlers> = {};

  constructor(
    directory: string,
    more: {
      readonly options?: unknown;
      /** Registering this fails. */
      readonly broken?: keyof Handlers | "transform";
      readonly parents?: Readonly<Record<string, string>>;
    } = {},
  ) {
    const register = async (name: keyof Handlers, handler: unknown) => {
      if (more.broken === name) throw new Error(`there is no hook ${name}`);
      Object.assign(this.#handlers, { [name]: handler });
      return {
        dispose: async () => {
          delete this.#handlers[name];
        },
      };
    };
    this.context = {
      options: more.options,
      app: { version: "2.0.22" },
      location: { directory },
      title: [],
      session: {
        hook: register,
        get: async ({ sessionID }) => ({ id: sessionID, parentID: more.parents?.[sessionID] }),
      },
      tool: {
        hook: register,
        transform: async (edit) => {
          if (more.broken === "transform") throw new Error("tools are closed");
          edit({ add: (tool) => this.tools.set(tool.name, tool) });
          return { dispose: () => this.tools.clear() };
        },
      },
    };
  }

  /** Names of the hooks that are registered. */
  get registered(): string[] {
    return Object.keys(this.#handlers).sort();
  }

  async prompt(event: PromptEvent): Promise<void> {
    await this.#handlers.prompt?.(event);
  }

  /** A request as it goes out: its messages' texts, and its system text. */
  async request(
    name: "context" | "compaction",
    messages: readonly RequestMessage[],
    kind?: string,
  ): Promise<{
    readonly texts: string[];
    readonly system: string;
    readonly messages: readonly RequestMessage[];
  }> {
    const event: RequestEvent = {
      sessionID: "s",
      ...(kind === undefined ? {} : { kind }),
      system: [{ type: "text", text: "You are a coding agent." }],
      messages: [...messages],
    };
    await this.#handlers[name]?.(event);
    return {
      texts: event.messages.flatMap(({ content }) =>
        content.map(({ text, result }) => text ?? String(result?.value)),
      ),
      system: event.system.map(({ text }) => text).join("\n"),
      messages: event.messages,
    };
  }

  async tool(event: ToolEvent): Promise<void> {
    await this.#handlers["execute.after"]?.(event);
  }

  async call(name: string, input: unknown): Promise<string> {
    const result = await this.tools.get(name)!.execute(input, { sessionID: "s" });
    return String(result.content);
  }
}
