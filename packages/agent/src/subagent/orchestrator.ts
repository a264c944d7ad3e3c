import type { AskDoor } from "../contract/consent.ts";
import { errorMessage, isPiError, PiError } from "../contract/errors.ts";
import type { ModelInfo } from "../contract/model.ts";
import type { ProcessDoor } from "../contract/process.ts";
import type { Clock } from "../contract/services.ts";
import type { AgentReport, AgentRequest, AgentType, JoinedChange, Subagents } from "../contract/subagents.ts";
import { nearNames } from "../platform/near-names.ts";
import { randomWord } from "../platform/random.ts";
import { withoutRepository } from "../platform/repository-variables.ts";
import { type AgentRecord, keepRecord, readRecord } from "./agent-records.ts";
import { AgentRun } from "./agent-run.ts";
import type { Handoff } from "./handoff.ts";
import { lentTools, missingTools, type OwnTool } from "./lent-tools.ts";
import { type Place, Places } from "./places.ts";
import { type ChildEnd, RunningChild } from "./run-child.ts";
import { Starts } from "./starts.ts";
import type { AgentWorktree, AgentWorktrees } from "./worktree/agent-worktrees.ts";

/** The parts of a handoff that are the same for all subagents of an agent; read anew at each start, since a person may change the model. */
export type SharedHandoff = Omit<
  Handoff,
  | "agent"
  | "task"
  | "tools"
  | "servers"
  | "maxTurns"
  | "model"
  | "provider"
  | "resume"
  | "config"
  | "depth"
  | "asks"
>;

/** What an {@link Orchestrator} works with. */
export interface OrchestratorParts {
  types: readonly AgentType[];
  processes: ProcessDoor;
  clock: Clock;
  /** The folder that subagents work in. */
  cwd: string;
  /** What starts this program again as a subagent. */
  argv: readonly string[];
  team: string;
  limits: { maxDepth: number; maxPerSession: number };
  /** 0 for the agent that a person talks to. */
  depth: number;
  /** The caller's own tools now: a subagent gets no others. */
  tools(): readonly OwnTool[];
  readOnly: boolean;
  shared(): SharedHandoff;
  /** The MCP servers that lend some of these tools. */
  servers(tools: readonly string[]): Promise<readonly string[]>;
  /** The configuration for a subagent with these MCP servers. */
  config(servers: readonly string[], readOnly: boolean): Handoff["config"];
  /** The model that plays the type, and the way to it. Rejects with a PiError. */
  model(type: AgentType): Promise<{ model: ModelInfo; provider: Handoff["provider"] }>;
  worktrees: AgentWorktrees;
  /** The person, for what subagents may not do unasked; null: nobody is there. */
  person: AskDoor | null;
  /** One begins or does something, or (`ended`) has ended. */
  changed?(ended: boolean): void;
  /** The caller's own place, if it has one. */
  ownPlace: { give(): void; take(): Promise<void> } | null;
}

/** Starts subagents as processes of our own, and keeps count of them. */
export class Orchestrator implements Omit<Subagents, "announce" | "heard"> {
  readonly #parts: OrchestratorParts;
  readonly #places: Places;
  readonly #starts: Starts;
  readonly #runs = new Map<string, AgentRun>();
  readonly #work = new Set<Promise<void>>();
  #waits = 0;
  #closing = false;

  constructor(parts: OrchestratorParts) {
    this.#parts = parts;
    this.#places = new Places(parts.team, parts.clock);
    this.#starts = new Starts(parts.team, parts.limits.maxPerSession);
  }

  types(): readonly AgentType[] {
    return this.#parts.types;
  }

  get(id: string): AgentRun | undefined {
    return this.#runs.get(id);
  }

  list(): readonly AgentRun[] {
    return [...this.#runs.values()];
  }

  async start(request: AgentRequest): Promise<AgentRun> {
    const before = request.resume === undefined ? null : this.#finished(request.resume);
    const type = this.#type(before?.type ?? request.agent);
    if (this.#closing) throw new PiError({ code: "agent_limit", message: "the session is ending" });
    this.#starts.take();
    const id = before?.id ?? this.#newId(type);
    const run = new AgentRun(id, type, request, this.#parts.clock, this.#runs.get(id)?.log);
    this.#runs.set(id, run);
    this.#parts.changed?.(false);
    run.onAction(() => this.#parts.changed?.(false));
    const work = this.#carryOut(run, before)
      .catch(
        (thrown: unknown): ChildEnd => ({ state: "failed", text: "", reason: reasonOf(thrown), stderr: "" }),
      )
      .then((end) => {
        run.finish(end);
        const { session, change } = run.report();
        if (session !== null && !this.#parts.shared().noSession)
          keepRecord(this.#parts.team, { id, type: type.name, session, change });
        this.#parts.changed?.(true);
      });
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
    return run;
  }

  async whileWaiting<T>(wait: () => Promise<T>): Promise<T> {
    const { ownPlace } = this.#parts;
    if (this.#waits++ === 0) ownPlace?.give();
    try {
      return await wait();
    } finally {
      if (--this.#waits === 0) await ownPlace?.take();
    }
  }

  async apply(id: string): Promise<JoinedChange> {
    const run = this.#runs.get(id);
    if (run?.running) throw busy(id);
    const joined = await this.#parts.worktrees.apply(run?.change?.branch ?? id);
    if (run !== undefined && joined.outcome === "joined") run.change = null;
    return joined;
  }

  /** Ends all that run, and gives their ends when their work is kept. Never rejects. */
  async close(): Promise<AgentReport[]> {
    this.#closing = true;
    const running = [...this.#runs.values()].filter((run) => run.running);
    const ends = await Promise.all(running.map((run) => run.stop()));
    await Promise.all(this.#work);
    return ends;
  }

  async #carryOut(run: AgentRun, before: AgentRecord | null): Promise<ChildEnd> {
    const place = await this.#places.take(run.stopSignal);
    if (place === null) return { state: "cancelled", text: "", reason: "it never had a place", stderr: "" };
    const held = { place: place as Place | null };
    try {
      // First what may fail: a worktree would be left over.
      const model = await this.#parts.model(run.type);
      const worktree = await this.#worktreeFor(run, before);
      try {
        return await this.#runProcess(run, before, { ...model, worktree, held });
      } finally {
        await this.#keepWork(run, worktree);
      }
    } finally {
      held.place?.give();
    }
  }

  async #runProcess(
    run: AgentRun,
    before: AgentRecord | null,
    parts: {
      model: ModelInfo;
      provider: Handoff["provider"];
      worktree: AgentWorktree | null;
      held: { place: Place | null };
    },
  ): Promise<ChildEnd> {
    const { processes, clock, argv, person } = this.#parts;
    const { worktree, held } = parts;
    const handoff = await this.#handoff(run, before, parts);
    const cwd = worktree?.cwd ?? this.#parts.cwd;
    const child = processes.start({ argv, cwd, stdin: "pipe", label: `subagent ${run.id}` });
    const running = new RunningChild({
      child,
      handoff,
      clock,
      timeoutMs: run.type.timeoutMs,
      signal: run.stopSignal,
      onAction: (words) => run.action(words),
      log: run.log,
      person,
      place: {
        give: () => {
          held.place?.give();
          held.place = null;
        },
        take: async (signal) => {
          held.place ??= await this.#places.take(signal);
          return held.place !== null;
        },
      },
    });
    run.begin(() => {
      const { usage, turns, session } = running.reader;
      return { usage, turns, session };
    });
    return await running.run();
  }

  async #handoff(
    run: AgentRun,
    before: AgentRecord | null,
    parts: { model: ModelInfo; provider: Handoff["provider"]; worktree: AgentWorktree | null },
  ): Promise<Handoff> {
    const { type, request } = run;
    const { depth, limits } = this.#parts;
    const deeper = type.tools?.includes("agent") === true && depth + 1 < limits.maxDepth;
    const own = this.#parts.tools();
    const tools = lentTools(own, type, deeper);
    const missing = type.file === null ? [] : missingTools(own, type);
    if (missing.length > 0)
      run.notes.push(
        `It worked without ${missing.join(", ")}, which ${type.file} lists: there is no such tool here.`,
      );
    const servers = await this.#parts.servers(tools);
    const readOnly = type.readOnly || this.#parts.readOnly;
    const shared = this.#parts.shared();
    return {
      ...shared,
      environment: parts.worktree === null ? shared.environment : withoutRepository(shared.environment),
      agent: { id: run.id, type: type.name, readOnly, instruction: type.instruction },
      task: [request.task, ...(parts.worktree?.forAgent ?? [])].join("\n\n"),
      tools,
      servers,
      maxTurns: type.maxTurns,
      model: parts.model,
      provider: parts.provider,
      config: this.#parts.config(servers, readOnly),
      resume: before?.session ?? null,
      depth: depth + 1,
      asks: this.#parts.person !== null,
    };
  }

  async #worktreeFor(run: AgentRun, before: AgentRecord | null): Promise<AgentWorktree | null> {
    const { worktrees } = this.#parts;
    const again = before?.change ? await worktrees.reopen(run.id, before.change) : null;
    if (again !== null) return again;
    if (!(run.request.worktree ?? run.type.worktree)) return null;
    const made = await worktrees.make(run.id);
    if ("reason" in made) {
      run.notes.push(`It worked in the project itself, not on a worktree: ${made.reason}.`);
      return null;
    }
    run.notes.push(...made.notes);
    return made;
  }

  async #keepWork(run: AgentRun, worktree: AgentWorktree | null): Promise<void> {
    if (worktree === null) return;
    try {
      run.change = await this.#parts.worktrees.keep(worktree, run.request.task);
    } catch (thrown) {
      run.notes.push(
        `What it changed could not be put on a branch (${errorMessage(thrown)}); it is in ${worktree.folder}.`,
      );
    }
  }

  #type(name: string): AgentType {
    const { types } = this.#parts;
    const found =
      types.find((type) => type.name === name) ??
      types.find((type) => type.name === name.replaceAll("-", "_"));
    if (found !== undefined) return found;
    const names = types.map((type) => type.name);
    const near = nearNames(name, names);
    throw new PiError({
      code: "agent_unknown",
      message: `there is no agent "${name.slice(0, 100)}"`,
      hint: `${near.length > 0 ? `Did you mean ${near.join(" or ")}? ` : ""}Agents: ${names.join(", ")}.`,
    });
  }

  /** An ended subagent of this session, of this process or of one before it. */
  #finished(id: string): AgentRecord {
    const run = this.#runs.get(id);
    if (run?.running) throw busy(id);
    const { type, session, change } = run?.report() ?? { type: "", session: null, change: null };
    if (run !== undefined && session !== null && !this.#parts.shared().noSession)
      return { id, type, session, change };
    const record = run === undefined ? readRecord(this.#parts.team, id) : null;
    if (record !== null) return record;
    if (run !== undefined)
      throw new PiError({
        code: "agent_gone",
        message: `${id} cannot go on: it left no session`,
        hint: "Start a new one and tell it what it needs to know.",
      });
    throw new PiError({
      code: "agent_unknown",
      message: `there is no subagent "${id.slice(0, 100)}" in this session`,
      hint:
        this.#runs.size === 0 ? "None was started yet." : `There are ${[...this.#runs.keys()].join(", ")}.`,
    });
  }

  #newId(type: AgentType): string {
    for (;;) {
      const id = `${type.name}-${randomWord(5)}`;
      if (!this.#runs.has(id)) return id;
    }
  }
}

function busy(id: string): PiError {
  return new PiError({
    code: "agent_busy",
    message: `${id} is still running`,
    hint: "Wait for its end first: agent with resume and without a task.",
  });
}

function reasonOf(thrown: unknown): string {
  const hint = isPiError(thrown) && thrown.hint !== undefined ? ` ${thrown.hint}` : "";
  return `it could not be started: ${errorMessage(thrown)}.${hint}`;
}
