import { noUsage } from "../contract/messages.ts";
import type { Clock } from "../contract/services.ts";
import type {
  AgentChange,
  AgentReport,
  AgentRequest,
  AgentStep,
  AgentType,
  StartedAgent,
} from "../contract/subagents.ts";
import { AgentLog } from "./agent-log.ts";
import type { ChildEnd } from "./run-child.ts";

/** A subagent of this process, from its start to its end. */
export class AgentRun implements StartedAgent {
  readonly id: string;
  readonly type: AgentType;
  readonly request: AgentRequest;
  readonly stopSignal: AbortSignal;
  readonly notes: string[] = [];
  readonly log: AgentLog;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly ended: Promise<AgentReport>;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #done = Promise.withResolvers<AgentReport>();
  readonly #listeners = new Set<(words: string) => void>();
  #startedAt: number | null = null;
  #endedAt: number | null = null;
  #end: ChildEnd | null = null;
  #lastAction = "";
  #progress: () => Pick<AgentReport, "usage" | "turns" | "session"> = () => ({
    usage: noUsage(),
    turns: 0,
    session: null,
  });
  change: AgentChange | null = null;

  /** `log`: of the same subagent before, which now goes on. */
  constructor(id: string, type: AgentType, request: AgentRequest, clock: Clock, log = new AgentLog()) {
    this.id = id;
    this.type = type;
    this.request = request;
    this.#clock = clock;
    this.log = log;
    log.task(request.task);
    this.createdAt = clock.now();
    this.stopSignal = this.#stop.signal;
    this.ended = this.#done.promise;
  }

  get running(): boolean {
    return this.#end === null;
  }

  /** It has a place, and begins to work. `progress` tells of it from now on. */
  begin(progress: () => Pick<AgentReport, "usage" | "turns" | "session">): void {
    this.#startedAt = this.#clock.now();
    this.#progress = progress;
  }

  action(words: string): void {
    this.#lastAction = words;
    for (const listener of this.#listeners) listener(words);
  }

  /** Its end is known, and what it changed is kept. */
  finish(end: ChildEnd): void {
    this.#endedAt ??= this.#clock.now();
    this.#end = end;
    this.#listeners.clear();
    this.#done.resolve(this.report());
  }

  report(): AgentReport {
    const since = this.#startedAt ?? this.#endedAt ?? this.#clock.now();
    const end = this.#end;
    return {
      id: this.id,
      type: this.type.name,
      task: this.request.task,
      state: end?.state ?? (this.#startedAt === null ? "waiting" : "running"),
      text: end?.text ?? "",
      reason: end?.reason ?? null,
      stderr: end?.stderr ?? "",
      ...(end?.usedUp === true ? { usedUp: true as const } : {}),
      ...(this.request.label === undefined ? {} : { label: this.request.label }),
      ...this.#progress(),
      durationMs: (this.#endedAt ?? this.#clock.now()) - since,
      startedAt: this.#startedAt ?? this.createdAt,
      lastAction: this.#lastAction,
      change: this.change,
      notes: this.notes,
    };
  }

  steps(): readonly AgentStep[] {
    return this.log.steps;
  }

  onAction(listener: (words: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async stop(): Promise<AgentReport> {
    this.#stop.abort();
    return await this.ended;
  }
}
