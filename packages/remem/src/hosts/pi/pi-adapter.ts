import { fileURLToPath } from "node:url";
import { loadConfig } from "../../runtime/config/load-config.ts";
import { findPlaces } from "../../runtime/config/places.ts";
import type { MemoryNotice } from "../../runtime/memory.ts";
import { detached, failOpen, type HostTrouble } from "../shared/host-guard.ts";
import type {
  PiApi,
  PiBeforeAgentStart,
  PiBeforeCompact,
  PiBeforeTree,
  PiContext,
  PiContextEvent,
  PiHandlers,
  PiMessage,
} from "./host-types.ts";
import { PiSession } from "./pi-session.ts";
import { claimSession, releaseSession } from "./session-claim.ts";
import { registerTools, type ToolNames } from "./tool-registration.ts";

/** The part of Pi's system prompt that says what a frame of memories is. */
const SECTION = "recalled-memory";

/**
 * Memory as an extension of Pi, which is loaded anew for each session. Between the session's start and its shutdown there is one
 * {@link PiSession}, and without it every handler does nothing. No handler throws or waits without a bound: Pi waits for all of them.
 */
export class PiAdapter {
  readonly #pi: PiApi;
  readonly #process: Pick<NodeJS.Process, "env" | "argv">;
  readonly #told = new Set<string>();
  #current: PiSession | undefined;
  #claimed: object | undefined;
  #tools: ToolNames | undefined;
  #notify: (notice: MemoryNotice) => void = () => undefined;

  constructor(pi: PiApi, program: Pick<NodeJS.Process, "env" | "argv"> = process) {
    this.#pi = pi;
    this.#process = program;
  }

  /** Registers the handlers. The tools follow when it is known which names are free. */
  register(): void {
    for (const name of Object.keys(this.#handlers) as (keyof PiHandlers)[]) this.#hear(name);
  }

  readonly #handlers: PiHandlers = {
    session_start: (_, context) => this.#start(context),
    resources_discover: async () => this.#registerTools(),
    session_shutdown: ({ reason }) => this.#close(reason),
    input: async (event, context) => this.#current?.input(event, context),
    before_agent_start: (event) => this.#prompt(event),
    context: (event) => this.#complete(event),
    tool_result: async (event) =>
      this.#tools?.has(event.toolName) === true ? undefined : this.#current?.tool(event),
    agent_end: async (event) => this.#current?.ended(event),
    agent_settled: async ({ aborted }) => this.#current?.settled(aborted),
    session_before_compact: (event, context) => this.#compact(event, context),
    session_before_tree: (event, context) => this.#leaveBranch(event, context),
  };

  #hear<Name extends keyof PiHandlers>(name: Name): void {
    const handler = this.#handlers[name] as (event: unknown, context: PiContext) => Promise<unknown>;
    this.#pi.on(name, failOpen(name, this.#trouble, handler) as PiHandlers[Name]);
  }

  async #start(context: PiContext): Promise<undefined> {
    await this.#close("reload");
    const { sessionManager } = context;
    if (!claimSession(sessionManager)) return;
    this.#claimed = sessionManager;
    this.#notify = notifier(context);
    const { env: environment, argv } = this.#process;
    const places = findPlaces(environment);
    const own = { places, environment, given: undefined, projectRoot: undefined, ignoreFiles: false };
    const { settings, problems } = await loadConfig(own);
    for (const message of problems) this.#notify({ level: "warning", code: "config", message });
    if (!settings.enabled) return;
    const session = new PiSession(context, {
      settings,
      environment,
      argv,
      adapterPath: fileURLToPath(import.meta.url),
      onNotice: (notice) => {
        // The user's own settings were told of above.
        if (!problems.includes(notice.message)) this.#notify(notice);
      },
    });
    this.#current = session;
    detached("handshake", this.#trouble, () => session.shakeHands());
  }

  #registerTools(): undefined {
    if (this.#tools !== undefined || this.#current === undefined) return;
    this.#tools = registerTools(this.#pi, () => this.#current);
  }

  async #prompt(event: PiBeforeAgentStart): Promise<undefined> {
    // Where nobody asks for resources, this is the last moment.
    this.#registerTools();
    const current = this.#current;
    if (current === undefined || !(await current.recalls())) return;
    event.systemPromptOptions.sections[SECTION] = current.memory.instruction;
    if (event.messageType === "user") await current.recalled.begin(current.turn, event.prompt);
  }

  async #complete({ messages }: PiContextEvent): Promise<{ messages: PiMessage[] } | undefined> {
    const current = this.#current;
    current?.requested();
    if (current === undefined || !(await current.recalls())) return undefined;
    const completed = await current.recalled.complete(messages);
    return completed === undefined ? undefined : { messages: completed };
  }

  async #compact(event: PiBeforeCompact, context: PiContext) {
    const current = this.#current;
    if (current === undefined || !(await current.summarizes())) return undefined;
    const { summarizeCompaction } = await import("./summary/summarize-compaction.ts");
    return summarizeCompaction(event, context, current.session);
  }

  async #leaveBranch(event: PiBeforeTree, context: PiContext) {
    const current = this.#current;
    if (!event.preparation.userWantsSummary || current === undefined) return undefined;
    if (!(await current.summarizes())) return undefined;
    const { summarizeBranch } = await import("./summary/summarize-branch.ts");
    return summarizeBranch(event, context, current.session);
  }

  /** What runs late finds no session any more. */
  async #close(reason: string): Promise<undefined> {
    const current = this.#current;
    this.#current = undefined;
    if (this.#claimed !== undefined) releaseSession(this.#claimed);
    this.#claimed = undefined;
    await current?.close(reason !== "reload");
  }

  readonly #trouble: HostTrouble = (what, error) => {
    if (this.#told.has(what)) return;
    this.#told.add(what);
    const message = `${what.replaceAll("_", " ")} failed (${error}); Pi goes on without it`;
    this.#notify({ level: "warning", code: `pi_${what}`, message });
  };
}

/** Tells a person without a memory's text: on Pi's surface, or on stderr where there is none. */
function notifier({ hasUI, ui }: PiContext): (notice: MemoryNotice) => void {
  return ({ level, message }) => {
    try {
      if (hasUI) ui.notify(`memory: ${message}`, level);
      else process.stderr.write(`memory: ${message}\n`);
    } catch {
      // The session is over, and its surface with it.
    }
  };
}
