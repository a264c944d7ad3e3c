import type { AskDoor } from "../contract/consent.ts";
import { OVER } from "../contract/over.ts";
import type { OwnedProcess, ProcessExit } from "../contract/process.ts";
import type { Clock } from "../contract/services.ts";
import type { AgentState } from "../contract/subagents.ts";
import { drainOutput } from "../platform/processes/drain.ts";
import type { AgentLog } from "./agent-log.ts";
import { ChildQuestions } from "./child-questions.ts";
import { EventReader } from "./event-reader.ts";
import type { Handoff } from "./handoff.ts";

/** A subagent that says nothing at all for this long is hung: its commands may take ten minutes, and tell of themselves. */
const SILENCE_MS = 15 * 60_000;
/** After its last event, or after it closed its output, a process has this long to end by itself. */
const LEAVE_MS = 10_000;
/** Kept of stderr, in characters. */
const STDERR_TAIL = 2_000;

/** The code of the budget's own error. */
const DAY_USED_UP = "daily_limit";

export interface ChildOptions {
  child: OwnedProcess;
  handoff: Handoff;
  clock: Clock;
  timeoutMs: number;
  silenceMs?: number;
  /** Its parent wants no more of it. */
  signal: AbortSignal;
  onAction(words: string): void;
  log: AgentLog;
  /** Answers what it may not do unasked; null: nobody does. */
  person: AskDoor | null;
  /** Its place, while it waits for subagents of its own. */
  place: { give(): void; take(signal: AbortSignal): Promise<boolean> };
}

/** How the process of a subagent ended. */
export interface ChildEnd {
  state: Exclude<AgentState, "waiting" | "running">;
  text: string;
  reason: string | null;
  stderr: string;
  /** The day's tokens were used up. */
  usedUp?: true;
}

/** A subagent's process, from its handoff to its end. */
export class RunningChild {
  readonly reader: EventReader;
  readonly #options: ChildOptions;
  readonly #over = new AbortController();
  #lastSign: number;
  readonly #questions: ChildQuestions;
  /** Milliseconds in which it could do nothing: without a place, or waiting for the person. */
  #idleMs = 0;
  #idleSince: number | null = null;
  readonly #idleFor = new Set<"place" | "person">();
  #stopped: Pick<ChildEnd, "state" | "reason"> | null = null;
  #livedOn = false;

  constructor(options: ChildOptions) {
    this.#options = options;
    this.#lastSign = options.clock.now();
    this.#questions = new ChildQuestions({
      id: options.handoff.agent.id,
      person: options.person,
      answer: (line) => void options.child.stdin?.write(`${JSON.stringify(line)}\n`),
      waiting: (waits) => this.#idles("person", waits),
    });
    this.reader = new EventReader({
      action: options.onAction,
      log: options.log,
      place: (message) => this.#place(message["place"]),
      ask: (message) => this.#questions.take(message),
    });
  }

  /** Hands the work over, reads everything, and resolves when nothing of it runs any more. Never rejects. */
  async run(): Promise<ChildEnd> {
    const { child, handoff, clock, signal } = this.#options;
    child.stdin?.write(`${JSON.stringify(handoff)}\n`);
    const stderr = tailOf(child.stderr);
    const onAbort = () => this.#stop("cancelled", null);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    const limits = [this.#limitTime(), this.#limitSilence()];
    const read = this.#read();
    const exit = await child.exited;
    await drainOutput(Promise.all([read, stderr.done]), () => this.reader.bytes + stderr.bytes(), clock);
    child.detachStreams();
    await read;
    this.#over.abort(OVER);
    this.#questions.close();
    signal.removeEventListener("abort", onAbort);
    await Promise.all(limits);
    // What it left running ends with it.
    await child.end();
    child.stdin?.end();
    return this.#end(exit, stderr.text());
  }

  async #read(): Promise<void> {
    const { child, clock } = this.#options;
    let leaving = false;
    for await (const chunk of child.stdout) {
      this.#lastSign = clock.now();
      this.reader.push(chunk);
      if (this.reader.end === null || leaving) continue;
      leaving = true;
      void this.#leave();
    }
    this.reader.finish();
    if (!leaving) void this.#leave();
  }

  /** What has nothing more to say and does not go is ended. */
  async #leave(): Promise<void> {
    const { child, clock } = this.#options;
    const gone = child.exited.then(() => true);
    const late = clock.sleep(LEAVE_MS, this.#over.signal).then(() => this.#over.signal.aborted);
    if (await Promise.race([gone, late])) return;
    this.#livedOn = true;
    await child.end();
  }

  #stop(state: ChildEnd["state"], reason: string | null): void {
    if (this.#stopped !== null || this.#over.signal.aborted) return;
    this.#stopped = { state, reason };
    this.#questions.close();
    void this.#options.child.end();
  }

  async #limitTime(): Promise<void> {
    const { clock, timeoutMs } = this.#options;
    const started = clock.now();
    for (;;) {
      const left = timeoutMs - (clock.now() - started - this.#idle());
      if (left <= 0) break;
      await clock.sleep(left, this.#over.signal);
      if (this.#over.signal.aborted) return;
    }
    this.#stop("timed_out", `it worked for ${inWords(timeoutMs)}, the limit of its type (timeout)`);
  }

  async #limitSilence(): Promise<void> {
    const { clock, silenceMs = SILENCE_MS } = this.#options;
    for (;;) {
      if (this.#idleFor.has("person")) this.#lastSign = clock.now();
      const left = silenceMs - (clock.now() - this.#lastSign);
      if (left <= 0) break;
      await clock.sleep(left, this.#over.signal);
      if (this.#over.signal.aborted) return;
    }
    this.#stop("timed_out", `it gave no sign of life for ${inWords(silenceMs)}`);
  }

  #idle(): number {
    return this.#idleMs + (this.#idleSince === null ? 0 : this.#options.clock.now() - this.#idleSince);
  }

  #idles(why: "place" | "person", idle: boolean): void {
    const now = this.#options.clock.now();
    if (idle) this.#idleFor.add(why);
    else this.#idleFor.delete(why);
    if (this.#idleFor.size > 0) this.#idleSince ??= now;
    else if (this.#idleSince !== null) {
      this.#idleMs += now - this.#idleSince;
      this.#idleSince = null;
    }
    if (!idle && why === "person") this.#lastSign = now;
  }

  #place(wanted: unknown): void {
    const { place, child } = this.#options;
    if (wanted === "give") {
      this.#idles("place", true);
      place.give();
    } else if (wanted === "take")
      void this.#giveBack().then((got) => got && child.stdin?.write(`{"place":"taken"}\n`));
  }

  async #giveBack(): Promise<boolean> {
    const got = await this.#options.place.take(this.#over.signal);
    this.#idles("place", false);
    return got;
  }

  #end(exit: ProcessExit, stderr: string): ChildEnd {
    const { end } = this.reader;
    const text = end?.text || this.reader.partial();
    if (end?.stop === "end" && text !== "") return { state: "done", text, reason: null, stderr: "" };
    if (this.#stopped !== null) return { text, stderr, ...this.#stopped };
    return { text, stderr, ...this.#failure(exit) };
  }

  #failure(exit: ProcessExit): Pick<ChildEnd, "state" | "reason" | "usedUp"> {
    const { end, error, garbage } = this.reader;
    const usedUp = error?.code === DAY_USED_UP ? { usedUp: true as const } : {};
    const failed = (reason: string) => ({ state: "failed" as const, reason, ...usedUp });
    const told = error === null ? "" : `: ${error.message}`;
    if (end !== null) {
      const reason = Object.hasOwn(STOPS, end.stop) ? STOPS[end.stop]! : `it stopped (${end.stop})`;
      if (end.stop === "aborted") return { state: "killed", reason };
      return failed(`${reason}${told}`);
    }
    if (this.#livedOn) return failed("it closed its output without an answer and lived on");
    if (exit.signal !== null) return { state: "killed", reason: `it was ended by ${exit.signal}` };
    const noise = garbage > 0 ? ` (its output held ${garbage} lines that are no events)` : "";
    return failed(`it ended with exit code ${exit.code} and gave no answer${noise}${told}`);
  }
}

/** What the stop reason of a run that did not answer means. */
const STOPS: Readonly<Record<string, string>> = {
  end: "it ended without an answer",
  length: "its answer was cut at the limit of the model's output",
  max_turns: "it used all model calls that its type allows (max_turns)",
  limit: "a limit was reached",
  aborted: "it was told to end by somebody else",
  error: "it could not go on",
};

/** Reads all of a stream and keeps its last characters. */
function tailOf(stream: AsyncIterable<Uint8Array>) {
  const decoder = new TextDecoder();
  let text = "";
  let seen = 0;
  const done = (async () => {
    for await (const chunk of stream) {
      seen += chunk.length;
      text = (text + decoder.decode(chunk, { stream: true })).slice(-STDERR_TAIL).toWellFormed();
    }
  })();
  return { done, text: () => text.trim(), bytes: () => seen };
}

/** A time limit for people. */
function inWords(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
