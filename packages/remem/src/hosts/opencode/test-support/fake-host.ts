import type { Workspace } from "@pi-ts/testkit";
import type { openMemory } from "../../../runtime/open-memory.ts";
import type { HostEvent, HostHooks, HostMessage, HostPart, HostSession } from "../host-types.ts";
import { openHostMemory } from "../open-host-memory.ts";
import type { Entrance } from "../provenance.ts";
import { SessionParents } from "../session-parents.ts";
import { V1Hooks } from "../v1-hooks.ts";

export interface FakeOptions {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly entrance?: Entrance;
  readonly noteFile?: string;
  readonly open?: typeof openMemory;
  /** What the host answers when it is asked for a session; default: one that works for nobody. */
  readonly sessionOf?: (id: string) => Promise<{ data?: HostSession | undefined }>;
}

/**
 * The host as far as plugins see it: it keeps messages, hands copies of them to hooks in its own order, takes only what is changed in
 * place, and waits for every hook without a limit.
 */
export class FakeHost implements AsyncDisposable {
  readonly hooks: HostHooks;
  readonly troubles: string[];
  readonly #stored = new Map<string, HostMessage[]>();
  #ids = 0;

  constructor(hooks: HostHooks, troubles: string[]) {
    this.hooks = hooks;
    this.troubles = troubles;
  }

  /** What is stored of a conversation. */
  stored(sessionId: string): HostMessage[] {
    const messages = this.#stored.get(sessionId) ?? [];
    this.#stored.set(sessionId, messages);
    return messages;
  }

  /** Somebody types in the terminal program. Gives the id of the message. */
  async type(sessionId: string, text: string, more: readonly Partial<HostPart>[] = []): Promise<string> {
    return this.prompt({ sessionID: sessionId, agent: "build", model: {} }, text, more);
  }

  async prompt(
    input: { sessionID: string; agent?: string; model?: unknown; messageID?: string },
    text: string,
    more: readonly Partial<HostPart>[] = [],
  ): Promise<string> {
    const message = this.#message(input.sessionID, "user", [{ type: "text", text }, ...more]);
    await this.hooks["chat.message"]?.(input, { message: message.info, parts: message.parts });
    this.stored(input.sessionID).push(message);
    return message.info.id;
  }

  /** The texts of one request, oldest first. */
  async request(sessionId: string): Promise<string[]> {
    const output = { messages: structuredClone(this.stored(sessionId)) };
    const kept = output.messages;
    await this.hooks["experimental.chat.messages.transform"]?.({}, output);
    return kept.flatMap(({ parts }) => parts.map(({ text, state }) => state?.output ?? text ?? ""));
  }

  /** The model answers, and the turn is over. */
  async answer(sessionId: string, text: string, info: Partial<HostMessage["info"]> = {}): Promise<void> {
    const message = this.#message(sessionId, "assistant", [
      { type: "text", text, time: { start: 1, end: 2 } },
    ]);
    Object.assign(message.info, { finish: "stop", time: { created: 1, completed: 2 } }, info);
    this.stored(sessionId).push(message);
    await this.#event("message.part.updated", { part: message.parts[0] });
    await this.#event("message.updated", { info: message.info });
    await this.#event("session.idle", { sessionID: sessionId });
  }

  async tool(sessionId: string, part: Pick<HostPart, "tool" | "state">): Promise<void> {
    const message = this.#message(sessionId, "assistant", [
      { type: "tool", callID: `call-${++this.#ids}`, ...part },
    ]);
    this.stored(sessionId).push(message);
    await this.#event("message.part.updated", { part: message.parts[0] });
  }

  /** What the writer of a summary gets: lines of guidance, and the conversation. */
  async compact(sessionId: string): Promise<{ readonly context: string[]; readonly texts: string[] }> {
    const output = { context: [] as string[] };
    await this.hooks["experimental.session.compacting"]?.({ sessionID: sessionId }, output);
    return { ...output, texts: await this.request(sessionId) };
  }

  async call(sessionId: string, name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const context = { sessionID: sessionId, abort: new AbortController().signal };
    return (await this.hooks.tool?.[name]?.execute(args, context)) ?? "no such tool";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.hooks.dispose?.();
  }

  async #event(type: string, properties: unknown): Promise<void> {
    const event: HostEvent = { type, properties };
    await this.hooks.event?.({ event });
  }

  #message(sessionId: string, role: string, parts: readonly Partial<HostPart>[]): HostMessage {
    const id = `msg_${++this.#ids}`;
    return {
      info: { id, sessionID: sessionId, role, time: { created: this.#ids } },
      parts: parts.map((part, index) => ({
        id: `prt_${this.#ids}_${index}`,
        sessionID: sessionId,
        messageID: id,
        type: "text",
        ...part,
      })),
    };
  }
}

/** Starts it in a workspace, with memory in it. On a busy machine memory takes its time; no test is about how much. */
export async function startFakeHost(space: Workspace, given: FakeOptions = {}): Promise<FakeHost> {
  const { entrance = "tui", noteFile, open, sessionOf = async (id: string) => ({ data: { id } }) } = given;
  const troubles: string[] = [];
  const trouble = (what: string, error: string): void => {
    troubles.push(`${what}: ${error}`);
  };
  const { memory, config, options } = await openHostMemory({
    directory: space.path,
    given: { waitMs: 10_000, capture: { enabled: true }, ...given.options },
    environment: space.env(),
    home: space.home,
    trouble,
    onNotice: () => undefined,
    ...(open === undefined ? {} : { open }),
  });
  const client = {
    session: { get: ({ path }: { path: { id: string } }) => sessionOf(path.id) },
    app: { log: async () => undefined },
  };
  const { hooks } = new V1Hooks({
    memory,
    parents: new SessionParents(client),
    entrance,
    argv: ["opencode", "worker.js"],
    options,
    isAgents: false,
    noteFile,
    guidesCompaction: config.settings.compaction,
    root: space.path,
    trouble,
  });
  return new FakeHost(hooks, troubles);
}
