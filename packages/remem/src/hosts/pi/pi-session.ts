import { basename } from "node:path";
import { VERSION } from "../../cli/version.ts";
import { SYSTEM_SCHEDULER } from "../../core/ports/scheduler.ts";
import type { MemorySettings } from "../../runtime/config/memory-config.ts";
import { findPlaces } from "../../runtime/config/places.ts";
import { mayRemember } from "../../runtime/may-remember.ts";
import type { Memory, MemoryNotice, MemorySession } from "../../runtime/memory.ts";
import { openMemory } from "../../runtime/open-memory.ts";
import { runtimeName, writeHandshake } from "../shared/handshake.ts";
import { bounded } from "../shared/host-guard.ts";
import type { PiAgentEnd, PiContext, PiInput, PiToolResult } from "./host-types.ts";
import { piVersion } from "./host-version.ts";
import { contentText } from "./message-text.ts";
import { isStartedByAgent, sourceOf } from "./person-input.ts";
import { RecalledContext } from "./recalled-context.ts";

/** Opening takes some milliseconds; a store that hangs must not hold up a prompt. */
const READY_MS = 1_500;
/** The engine closes within two seconds by itself. */
const CLOSE_MS = 2_500;
const TAKE_IN_MS = 5_000;
/** Pi draws its first screens meanwhile. */
const WARM_UP_AFTER_MS = 250;

export interface PiSessionParts {
  /** The user's settings. */
  readonly settings: MemorySettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly argv: readonly string[];
  readonly onNotice: (notice: MemoryNotice) => void;
  /** The file this extension was loaded from. */
  readonly adapterPath: string;
}

/** What of Pi's context is needed beyond its events, while the context is good. */
interface PiFacts {
  readonly mode: string;
  readonly cwd: string;
  readonly id: string;
  readonly parent: string | undefined;
}

/**
 * Memory in one session of Pi. It is opened when the session starts if there is anything to recall or to be kept, else when a tool asks: where
 * nothing is remembered and nothing is to be, Pi does not pay for it. Closed when the session ends; another session gets another one.
 */
export class PiSession {
  readonly #parts: PiSessionParts;
  readonly #facts: PiFacts;
  readonly #mayRecall: boolean;
  #opened:
    | { readonly memory: Memory; readonly session: MemorySession; readonly recalled: RecalledContext }
    | undefined;
  /** Whether there is anything to recall; decided once, because a request has to begin as the one before it. */
  #recalls: Promise<boolean> | undefined;
  #greeting: Promise<void> | undefined;
  #cancelWarmUp: (() => void) | undefined;
  #turn = "";
  #turns = 0;
  /** A person's input began what runs now: only then is kept what comes of it. */
  #byPerson = false;
  #answer: string | undefined;

  constructor({ mode, cwd, sessionManager }: PiContext, parts: PiSessionParts) {
    this.#parts = parts;
    const parent = parentId(sessionManager.getHeader()?.parentSession);
    this.#facts = { mode, cwd, id: sessionManager.getSessionId(), parent };
    this.#mayRecall = mayRemember(parts.settings, true);
    if (this.#mayRecall || parts.settings.capture.enabled) this.#open();
    // Without a person at it, the first prompt is there already.
    if (this.#mayRecall && !this.#isOneShot)
      this.#cancelWarmUp = SYSTEM_SCHEDULER.after(WARM_UP_AFTER_MS, () => void this.#opened?.memory.warmUp());
  }

  get memory(): Memory {
    return this.#open().memory;
  }

  get session(): MemorySession {
    return this.#open().session;
  }

  get recalled(): RecalledContext {
    return this.#open().recalled;
  }

  /** Whether this session has memory before the model. The same answer each time. */
  recalls(): Promise<boolean> {
    this.#recalls ??= this.#mayRecall ? this.#isReady() : Promise.resolve(false);
    return this.#recalls;
  }

  /** The name of the turn that begins now; the same after a resume, another one on another branch. */
  get turn(): string {
    return this.#turn;
  }

  /** Something came in as a prompt. What a person typed may be kept; it is handed over and not waited for. */
  input(input: PiInput, { sessionManager }: PiContext): undefined {
    const { environment, argv } = this.#parts;
    const source = sourceOf(input, { mode: this.#facts.mode, environment, argv });
    this.#turn = `${sessionManager.getLeafId() ?? "root"}-${++this.#turns}`;
    this.#byPerson = source === "interactive";
    // The engine keeps only what a person typed, and counts the rest.
    if (this.#captures) this.session.typed({ messageId: this.#turn, text: input.text, source });
  }

  /** A request is on its way: while everybody waits for the model, memory does what is due behind the work. */
  requested(): void {
    SYSTEM_SCHEDULER.after(0, () => this.#opened?.memory.maintain());
  }

  /** A tool has run. */
  tool({ toolCallId, toolName, input, content, isError }: PiToolResult): undefined {
    if (!this.#byPerson || !this.#captures) return;
    const output = contentText(content);
    this.session.tool({ callId: toolCallId, tool: toolName, input, output, failed: isError });
  }

  /** A run is over, but Pi may go on by itself: only the last answer counts. */
  ended({ messages }: PiAgentEnd): undefined {
    const last = messages.findLast(({ role }) => role === "assistant");
    this.#answer = last?.stopReason === "stop" ? contentText(last.content) : undefined;
  }

  /** Pi waits for the next prompt. */
  settled(aborted: boolean): undefined {
    const text = this.#answer ?? "";
    this.#answer = undefined;
    if (this.#byPerson && !aborted && text.trim() !== "")
      this.session.answer({ messageId: this.#turn, text });
  }

  /** Whether the user asked for summaries with memory beside them; a project may switch that off. */
  async summarizes(): Promise<boolean> {
    return this.#parts.settings.compaction && (await this.memory.config()).settings.compaction;
  }

  /** Leaves word for `remem doctor` that Pi has loaded this. Rejects when it cannot. */
  shakeHands(): Promise<void> {
    this.#greeting ??= this.#shakeHands();
    return this.#greeting;
  }

  /** Stores what is left and lets go of everything, within a bound. `over`: the conversation is; false when Pi only loads its extensions anew. */
  async close(over: boolean): Promise<void> {
    const opened = this.#opened;
    this.#cancelWarmUp?.();
    // Closing cuts what takes too long; what was typed is taken in before, however busy the machine is.
    if (this.#turns > 0 && this.#captures) await bounded(TAKE_IN_MS, undefined, () => this.memory.idle());
    await bounded(CLOSE_MS, undefined, async () => {
      // Not waited for by itself: closing gives it its share of the time.
      if (over) void opened?.session.end();
      await Promise.allSettled([this.#greeting, opened?.memory.close()]);
    });
  }

  async #shakeHands(): Promise<void> {
    const { environment, adapterPath, settings } = this.#parts;
    const { kind, path } = settings.storage;
    writeHandshake(findPlaces(environment), {
      host: "pi",
      hostVersion: await piVersion(),
      adapterVersion: VERSION,
      adapterPath,
      runtime: runtimeName(),
      store: { kind, path: kind === "postgres" ? null : path },
      loadedAt: new Date().toISOString(),
    });
  }

  get #isOneShot(): boolean {
    return this.#facts.mode === "print" || this.#facts.mode === "json";
  }

  get #captures(): boolean {
    return this.#parts.settings.capture.enabled;
  }

  async #isReady(): Promise<boolean> {
    const { memory } = this.#open();
    await bounded(READY_MS, undefined, () => memory.ready());
    return memory.state === "ready" || memory.state === "opening";
  }

  #open() {
    if (this.#opened === undefined) {
      const { environment, onNotice } = this.#parts;
      const { cwd, id, parent } = this.#facts;
      const run = this.#isOneShot ? "one-shot" : "interactive";
      const memory = openMemory({ host: "pi", cwd, environment, run, onNotice });
      const session = memory.session({
        id,
        ...(parent === undefined ? {} : { parents: [parent] }),
        passive: isStartedByAgent(environment),
      });
      this.#opened = { memory, session, recalled: new RecalledContext(session) };
    }
    return this.#opened;
  }
}

/** The id of the session that one was forked from: it stands in the name of its file, which is not read. */
function parentId(file: string | undefined): string | undefined {
  return file === undefined ? undefined : /_([\da-f-]{36})\.jsonl$/i.exec(basename(file))?.[1];
}
