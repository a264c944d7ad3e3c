import type { PiApi, PiContext, PiHandlers, PiTool } from "../host-types.ts";

/** What a test may say of a fake session. */
export interface FakeSession {
  readonly id?: string;
  readonly cwd: string;
  readonly mode?: string;
  readonly parentSession?: string;
  readonly model?: PiContext["model"];
  readonly complete?: PiContext["modelRegistry"]["complete"];
}

/** A context as Pi hands it out. Notices are kept. */
export function fakeContext(session: FakeSession, notices: string[] = []): PiContext {
  const { id = "11111111-1111-4111-8111-111111111111", cwd, mode = "tui", parentSession, model } = session;
  return {
    mode,
    hasUI: true,
    cwd,
    ui: { notify: (message) => void notices.push(message) },
    sessionManager: {
      getSessionId: () => id,
      getLeafId: () => "leaf",
      getHeader: () => ({ parentSession }),
    },
    model,
    modelRegistry: {
      complete: session.complete ?? (() => Promise.reject(new Error("no model is scripted"))),
    },
  };
}

/**
 * Pi's side of an extension: handlers run one after the other and are awaited, what they throw would be reported, and two extensions with
 * one tool name at load would end the program.
 */
export class FakePi implements PiApi {
  readonly host?: string;
  readonly tools = new Map<string, PiTool>();
  /** What handlers threw: Pi would report it. */
  readonly reported: unknown[] = [];
  readonly #handlers = new Map<string, ((event: never, context: PiContext) => Promise<unknown>)[]>();
  readonly #others: readonly string[];

  constructor(options: { readonly host?: string; readonly otherTools?: readonly string[] } = {}) {
    if (options.host !== undefined) this.host = options.host;
    this.#others = options.otherTools ?? [];
  }

  /** How many handlers were registered. */
  get handlers(): number {
    return this.#handlers.size;
  }

  on<Name extends keyof PiHandlers>(event: Name, handler: PiHandlers[Name]): void {
    this.#handlers.set(event, [...(this.#handlers.get(event) ?? []), handler]);
  }

  registerTool(tool: PiTool): void {
    this.tools.set(tool.name, tool);
  }

  getAllTools(): readonly { readonly name: string }[] {
    return [...this.#others, ...this.tools.keys()].map((name) => ({ name }));
  }

  /** Dispatches an event and gives what the last handler answered. */
  async emit<Name extends keyof PiHandlers>(
    name: Name,
    event: Parameters<PiHandlers[Name]>[0],
    context: PiContext,
  ): Promise<Awaited<ReturnType<PiHandlers[Name]>>> {
    let answer: unknown;
    for (const handler of this.#handlers.get(name) ?? [])
      try {
        answer = (await handler(event as never, context)) ?? answer;
      } catch (error) {
        this.reported.push(error);
      }
    return answer as Awaited<ReturnType<PiHandlers[Name]>>;
  }
}
