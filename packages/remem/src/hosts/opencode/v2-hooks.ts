import { FRAME_INSTRUCTION } from "../../core/recall/frame.ts";
import { bounded, failOpen, type HostTrouble } from "../shared/host-guard.ts";
import { type MemoryTool, runMemoryTool } from "../shared/tools/memory-tools.ts";
import { COMPACTION_GUIDANCE, LATE_RECALL_MS, TOOL_MS, UNAVAILABLE } from "./host-limits.ts";
import type { HostMemory, HostSessionState } from "./host-memory.ts";
import { OFFERED_TOOLS } from "./offered-tools.ts";
import type { PluginOptions } from "./plugin-options.ts";
import { blankMemoryAnswers, findPrompts, memoryMessage, textOf } from "./v2-request.ts";
import type { AddedTool, PromptEvent, Registration, RequestEvent, ToolEvent, V2Context } from "./v2-types.ts";

/** The host answers from its own process. */
const PARENT_MS = 200;

export interface V2Parts {
  readonly context: V2Context;
  readonly memory: HostMemory;
  readonly options: PluginOptions;
  readonly mayRecall: boolean;
  /** An agent runs the host: nobody types here, and nothing is remembered. */
  readonly isAgents: boolean;
  /** Whether a summary's writer is told to leave memories out. */
  readonly compaction: boolean;
  readonly trouble: HostTrouble;
}

/** The newer hooks of one folder. None throws, none waits longer than it says, and nothing that they add is stored by the host. */
export class V2Hooks {
  readonly #parts: V2Parts;
  readonly #parents = new Map<string, string | null>();
  /** Sessions whose newest prompt is a person's: only then is kept what comes of it. */
  readonly #byPerson = new Set<string>();
  readonly #registrations: (Registration | undefined)[] = [];

  constructor(parts: V2Parts) {
    this.#parts = parts;
  }

  /** Registers everything; gives what takes it back and ends memory. A registration that fails takes back those before it. */
  async register(): Promise<() => Promise<void>> {
    const { session, tool } = this.#parts.context;
    const end = failOpen("end", this.#parts.trouble, () => this.#end());
    try {
      this.#keep(
        await session.hook(
          "prompt",
          this.#guarded("prompt", (event) => this.#prompt(event)),
        ),
      );
      this.#keep(
        await session.hook(
          "context",
          this.#guarded("recall", (event) => this.#request(event)),
        ),
      );
      this.#keep(
        await session.hook(
          "compaction",
          this.#guarded("compaction", (event) => this.#compaction(event)),
        ),
      );
      this.#keep(
        await tool?.hook?.(
          "execute.after",
          this.#guarded("tool", (event) => this.#tool(event)),
        ),
      );
      this.#keep(
        await tool?.transform?.((editor) => {
          for (const each of OFFERED_TOOLS) editor.add(this.#added(each));
        }),
      );
    } catch (error) {
      await end();
      throw error;
    }
    return async () => {
      await end();
    };
  }

  #keep(registration: Registration | undefined): void {
    this.#registrations.push(registration);
  }

  async #end(): Promise<void> {
    for (const registration of this.#registrations.splice(0).reverse())
      await failOpen("end", this.#parts.trouble, () => registration?.dispose?.())();
    await this.#parts.memory.close();
  }

  #guarded<Event>(
    name: string,
    handler: (event: Event) => Promise<void> | void,
  ): (event: Event) => Promise<void> {
    const { memory, trouble } = this.#parts;
    return failOpen(name, trouble, (event: Event) => (memory.isClosed ? undefined : handler(event)));
  }

  async #prompt({ sessionID, messageID, prompt, metadata }: PromptEvent): Promise<void> {
    const { memory, options, isAgents } = this.#parts;
    const words = prompt.text.trim();
    if (words === "") return;
    const parent = await this.#parentOf(sessionID);
    const session = memory.session(sessionID, parent ?? undefined);
    // This API tells nothing of where a prompt comes from: a person's it is only where the user says that all of them are.
    const isTyped =
      !isAgents && options.typed.has("serve") && parent === null && metadata?.["source"] === undefined;
    if (isTyped) this.#byPerson.add(sessionID);
    else this.#byPerson.delete(sessionID);
    memory.typed(session, messageID, words, isTyped ? "interactive" : parent === null ? "rpc" : "subagent");
  }

  async #request(event: RequestEvent): Promise<void> {
    const { messages, system, sessionID, kind = "primary" } = event;
    if (kind !== "primary") return;
    const { recall, isSubagent } = await this.#session(sessionID);
    const { waitMs } = this.#parts.options;
    const prompts = findPrompts(messages);
    const newest = prompts.at(-1);
    if (newest === undefined) return;
    const present = new Set(prompts.map(({ key }) => key));
    const wait = recall.isAsked(newest.key) ? LATE_RECALL_MS : waitMs;
    await bounded(wait, undefined, () =>
      recall.ask({
        messageId: newest.key,
        words: newest.words,
        present,
        fresh: messages.every(({ role }) => role !== "assistant"),
        withoutStanding: isSubagent,
      }),
    );
    const texts = recall.texts(present);
    if (this.#parts.mayRecall || texts.size > 0) system.push({ type: "text", text: FRAME_INSTRUCTION });
    // From the end, so that the places of those before stay.
    for (const { key, index } of prompts.reverse()) {
      const text = texts.get(key);
      if (text !== undefined) messages.splice(index, 0, memoryMessage(messages[index]!, text));
    }
  }

  #compaction({ messages, system }: RequestEvent): void {
    blankMemoryAnswers(messages);
    if (this.#parts.compaction) system.push({ type: "text", text: COMPACTION_GUIDANCE });
  }

  async #tool({ tool, sessionID, id, input, status, result, error }: ToolEvent): Promise<void> {
    if (!this.#byPerson.has(sessionID)) return;
    const { memory } = await this.#session(sessionID);
    const exitCode = result?.metadata?.["exit"];
    memory.tool({
      callId: id,
      tool,
      input: typeof input === "object" && input !== null ? (input as Readonly<Record<string, unknown>>) : {},
      output: textOf(result?.content) || (error?.message ?? ""),
      failed: status === "error",
      ...(typeof exitCode === "number" ? { exitCode } : {}),
    });
  }

  #added(tool: MemoryTool): AddedTool {
    const { memory } = this.#parts;
    return {
      name: tool.name,
      description: tool.description,
      input: tool.schema,
      options: { codemode: false },
      execute: async (given, { sessionID, signal: asked }) => {
        const answered = await bounded(TOOL_MS, asked, async (signal) => {
          const { memory: session } = await this.#session(sessionID);
          return runMemoryTool(tool, given, { memory: memory.memory, session, signal });
        });
        return { content: answered.outcome === "ok" ? answered.value : UNAVAILABLE };
      },
    };
  }

  async #session(id: string): Promise<HostSessionState> {
    const { memory } = this.#parts;
    return memory.known(id) ?? memory.session(id, (await this.#parentOf(id)) ?? undefined);
  }

  /** The session that one works for; null: none; undefined: the host did not say. */
  async #parentOf(id: string): Promise<string | null | undefined> {
    const known = this.#parents.get(id);
    if (known !== undefined) return known;
    const { session } = this.#parts.context;
    const asked = await bounded(PARENT_MS, undefined, async () => session.get?.({ sessionID: id }));
    if (asked.outcome !== "ok") return undefined;
    const info = sessionInfo(asked.value);
    if (info === undefined) return undefined;
    const parent = info.parentID ?? null;
    this.#parents.set(id, parent);
    return parent;
  }
}

/** A session as the host gives it, bare or as the data of an answer. */
function sessionInfo(value: unknown): { readonly parentID?: string } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { id, data } = value as { id?: unknown; data?: unknown };
  if (typeof id === "string") return value as { parentID?: string };
  return data === undefined ? undefined : sessionInfo(data);
}
