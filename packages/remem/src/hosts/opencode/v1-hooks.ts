import { FRAME_INSTRUCTION } from "../../core/recall/frame.ts";
import { bounded, detached, failOpen, type HostTrouble } from "../shared/host-guard.ts";
import { type MemoryTool, runMemoryTool } from "../shared/tools/memory-tools.ts";
import { blankMemoryResults, isFresh, newestPrompt, placeBefore, promptWords } from "./conversation.ts";
import { COMPACTION_GUIDANCE, LAST_EVENTS_MS, LATE_RECALL_MS, TOOL_MS, UNAVAILABLE } from "./host-limits.ts";
import type { HostMemory, HostSessionState } from "./host-memory.ts";
import type {
  HostEvent,
  HostHooks,
  HostMessage,
  HostPart,
  HostSession,
  HostTool,
  PromptInput,
} from "./host-types.ts";
import { OFFERED_TOOLS } from "./offered-tools.ts";
import type { PluginOptions } from "./plugin-options.ts";
import { type Entrance, originOf } from "./provenance.ts";
import { captureTool, SessionEvidence } from "./session-evidence.ts";
import type { SessionParents } from "./session-parents.ts";
import { TurnsUnderway } from "./turns-underway.ts";

const OWN_AGENT_VARIABLE = "REMEM_AGENT";

export interface V1Parts {
  readonly memory: HostMemory;
  readonly parents: SessionParents;
  readonly entrance: Entrance;
  /** The command line of the host. */
  readonly argv: readonly string[];
  readonly options: Pick<PluginOptions, "typed" | "waitMs">;
  /** An agent runs the host: nobody types here, and nothing is remembered. */
  readonly isAgents: boolean;
  /** The file that says what a frame of memories is; undefined: it is said in front of each frame. */
  readonly noteFile: string | undefined;
  /** Whether a summary's writer is told to leave memories out. */
  readonly guidesCompaction: boolean;
  /** The top folder of the project: paths in it are told relative to it. */
  readonly root: string;
  readonly trouble: HostTrouble;
}

/** The hooks of one folder. None throws, none waits longer than it says, and nothing that they add is stored by the host. */
export class V1Hooks {
  readonly #parts: V1Parts;
  readonly #evidence = new SessionEvidence();
  readonly #turns = new TurnsUnderway();
  /** Sessions whose newest prompt is a person's: only then is kept what comes of it. */
  readonly #byPerson = new Set<string>();
  /** Sessions whose next prompt comes from a slash command. */
  readonly #commands = new Set<string>();
  /** Sessions whose next messages go to the writer of a summary. */
  readonly #compacting = new Set<string>();
  #hasNote = false;

  constructor(parts: V1Parts) {
    this.#parts = parts;
  }

  get hooks(): HostHooks {
    const { trouble, memory } = this.#parts;
    const guarded = <Given extends readonly unknown[]>(
      name: string,
      handler: (...given: Given) => Promise<void> | void,
    ) => failOpen(name, trouble, (...given: Given) => (memory.isClosed ? undefined : handler(...given)));
    return {
      config: guarded("config", (config) => this.#addNote(config)),
      event: guarded("event", ({ event }) => this.#event(event)),
      dispose: failOpen("dispose", trouble, async () => {
        await bounded(LAST_EVENTS_MS, undefined, () => this.#turns.settled());
        await memory.close();
      }),
      tool: Object.fromEntries(OFFERED_TOOLS.map((tool) => [tool.name, this.#tool(tool)])),
      "tool.definition": guarded("tool.definition", ({ toolID }, output) => {
        const tool = OFFERED_TOOLS.find(({ name }) => name === toolID);
        // Not in the published types: what the model sees instead of the schema of `args`.
        if (tool !== undefined) Object.assign(output, { jsonSchema: tool.schema });
      }),
      "command.execute.before": guarded("command", ({ sessionID }) => {
        this.#commands.add(sessionID);
      }),
      // Programs that a model starts know by it that no person is there; `remem` and this plugin look for it.
      "shell.env": guarded("shell", ({ callID }, { env }) => {
        if (callID !== undefined) env[OWN_AGENT_VARIABLE] ??= "1";
      }),
      "chat.message": guarded("prompt", (input, output) =>
        this.#prompt(input, output.message.id, output.parts),
      ),
      "experimental.chat.messages.transform": guarded("recall", (_, { messages }) => this.#recall(messages)),
      "experimental.session.compacting": guarded("compaction", ({ sessionID }, { context }) => {
        this.#compacting.add(sessionID);
        if (this.#parts.guidesCompaction) context.push(COMPACTION_GUIDANCE);
      }),
    };
  }

  #addNote(config: { instructions?: string[] }): void {
    const { noteFile } = this.#parts;
    if (noteFile === undefined) return;
    const { instructions = [] } = config;
    if (!instructions.includes(noteFile)) config.instructions = [...instructions, noteFile];
    this.#hasNote = true;
  }

  async #prompt(input: PromptInput, messageId: string, parts: readonly HostPart[]): Promise<void> {
    const { memory, parents, entrance, argv, options, isAgents, trouble } = this.#parts;
    this.#turns.begin(input.sessionID);
    const fromCommand = this.#commands.delete(input.sessionID);
    const words = promptWords(parts);
    if (words === "") return;
    const parent = await parents.of(input.sessionID);
    const session = memory.session(input.sessionID, parent ?? undefined);
    // The request comes a moment later; the answer is to be there by then.
    detached("recall", trouble, () => session.recall.begin(messageId, words));
    const isSubagent = parent === undefined ? undefined : parent !== null;
    const origin = originOf({
      entrance,
      argv,
      typed: options.typed,
      isAgents,
      input,
      words,
      fromCommand,
      isSubagent,
    });
    if (origin.source === "interactive") this.#byPerson.add(input.sessionID);
    else this.#byPerson.delete(input.sessionID);
    memory.typed(session, messageId, origin.words, origin.source);
  }

  async #recall(messages: HostMessage[]): Promise<void> {
    const sessionId = messages.at(-1)?.info.sessionID;
    if (sessionId === undefined) return;
    if (this.#compacting.delete(sessionId)) {
      blankMemoryResults(messages);
      return;
    }
    const { recall, isSubagent } = await this.#session(sessionId);
    const { waitMs } = this.#parts.options;
    const present = new Set(messages.map(({ info }) => info.id));
    const prompt = newestPrompt(messages);
    if (prompt !== undefined) {
      const { words, message } = prompt;
      const messageId = message.info.id;
      const wait = recall.isAsked(messageId) ? LATE_RECALL_MS : waitMs;
      const question = { messageId, words, present, fresh: isFresh(messages), withoutStanding: isSubagent };
      await bounded(wait, undefined, () => recall.ask(question));
    }
    for (const [id, text] of recall.texts(present))
      placeBefore(messages, id, this.#hasNote ? text : `${FRAME_INSTRUCTION}\n${text}`);
  }

  #event(event: HostEvent): void {
    const { memory, parents } = this.#parts;
    if (event.type.startsWith("session.")) {
      const { info, sessionID } = event.properties as { info?: HostSession; sessionID?: string };
      if (event.type === "session.idle" && sessionID !== undefined) this.#turns.end(sessionID);
      if (info === undefined) return;
      if (event.type === "session.deleted") {
        parents.forget(info.id);
        this.#byPerson.delete(info.id);
        memory.release(info.id);
        return;
      }
      parents.learn(info);
      return;
    }
    const evidence = this.#evidence.read(event);
    if (evidence === undefined) return;
    const sessionId = evidence.kind === "tool" ? evidence.part.sessionID : evidence.sessionId;
    if (!this.#byPerson.has(sessionId)) return;
    const session = memory.session(sessionId, undefined).memory;
    if (evidence.kind === "tool") captureTool(session, evidence.part, this.#parts.root);
    else session.answer({ messageId: evidence.messageId, text: evidence.text });
  }

  #tool(tool: MemoryTool): HostTool {
    return {
      description: tool.description,
      args: {},
      execute: async (given, { sessionID, abort }) => {
        const { memory } = this.#parts;
        if (memory.isClosed) return UNAVAILABLE;
        const answered = await bounded(TOOL_MS, abort, async (signal) => {
          const { memory: session } = await this.#session(sessionID);
          return runMemoryTool(tool, given, { memory: memory.memory, session, signal });
        });
        return answered.outcome === "ok" ? answered.value : UNAVAILABLE;
      },
    };
  }

  async #session(id: string): Promise<HostSessionState> {
    const { memory, parents } = this.#parts;
    return memory.known(id) ?? memory.session(id, (await parents.of(id)) ?? undefined);
  }
}
