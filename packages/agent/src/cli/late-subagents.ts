import { mkdirSync } from "node:fs";
import type { Callbacks } from "../contract/callbacks.ts";
import { errorMessage } from "../contract/errors.ts";
import type { UserMessage } from "../contract/messages.ts";
import type { ModelClient } from "../contract/model.ts";
import type { AgentProblem, AgentReport, AgentType } from "../contract/subagents.ts";
import type { AnyTool } from "../contract/tool.ts";
import { systemClock } from "../platform/clock.ts";
import { withoutRepository } from "../platform/repository-variables.ts";
import type { AgentRun } from "../subagent/agent-run.ts";
import { Announcements } from "../subagent/announcements.ts";
import { SUBAGENT_FLAG } from "../subagent/handoff.ts";
import type { Orchestrator } from "../subagent/orchestrator.ts";
import { SharedPause } from "../subagent/shared-pause.ts";
import type { GitWorktrees } from "../subagent/worktree/git-worktrees.ts";
import { agentTool } from "../tools/agent/agent.ts";
import { agentTypes } from "./agent-types.ts";
import { ownProgram } from "./own-program.ts";
import { definedOnly, modelFor, narrowedConfig, serversOf } from "./subagent-handoff.ts";
import type { SubagentParts } from "./subagent-parts.ts";
import { VERSION } from "./version.ts";

/** The subagents of a conversation. Nothing but their names is loaded before the first is started. */
export interface LateSubagents {
  readonly tools: readonly AnyTool[];
  /** Remind the model of background subagents that have ended. */
  readonly callbacks: Callbacks;
  readonly problems: readonly AgentProblem[];
  readonly types: readonly AgentType[];
  /** Null while none was started. */
  readonly started: Orchestrator | null;
  open(): Promise<Orchestrator>;
  /** The client of the conversation, which from the first subagent on waits when one of them is told to wait, and they with it. */
  sharing(client: ModelClient, provider: string): ModelClient;
  /** All of this program's, those that work for runs of specs too; oldest first. */
  all(): readonly AgentRun[];
  /** The name of the run in progress that this one works for, or whose copy this is; null: none. */
  heldBy(id: string): string | null;
  /** The name of the run in progress; null: none. */
  run(): string | null;
  /** Hears when one begins or does something, and when work may be left or gone. Returns what ends the listening. */
  subscribe(listener: (what: "agents" | "left") => void): () => void;
  /** Says that work may be gone: somebody joined or dropped some. */
  leftChanged(): void;
  /** How many are at work. */
  running(): number;
  /** Tokens that they took in this program. */
  spent(): number;
  /** Removes what earlier runs left, where that is no loss, and says what is left. Never rejects. */
  tidy(): Promise<void>;
  worktrees(): Promise<GitWorktrees>;
  /** Subagents that work on a copy of a run (`id` names both) in its folder `cwd`, within the same limits. `over`: their work is nobody's any more. */
  at(id: string, cwd: string): Promise<{ agents: Orchestrator; worktrees: GitWorktrees; over(): void }>;
  /** Why there can be none in this run; null when there may be some. */
  off(): string | null;
  /** Ends all of them and keeps their work. Never rejects. */
  close(): Promise<void>;
}

/** Whether this agent may have subagents at all: there is a way to its model that can be handed over, and the depth allows it. */
function allowed({ settings, subagent, modelGiven, chosen }: SubagentParts): boolean {
  if (modelGiven === true || chosen.brought === true) return false;
  return (subagent?.handoff.depth ?? 0) < settings.config.subagent.maxDepth;
}

/** The types and the tool of a conversation's subagents. */
export async function lateSubagents(parts: SubagentParts): Promise<LateSubagents> {
  const { types, problems } = await agentTypes(parts);
  let started: Orchestrator | null = null;
  const ofRuns: { id: string; agents: Orchestrator; over: boolean }[] = [];
  const teams = () => [...(started === null ? [] : [started]), ...ofRuns.map(({ agents }) => agents)];
  const all = () =>
    teams()
      .flatMap((team) => team.list())
      .sort((a, b) => a.createdAt - b.createdAt);
  const listeners = new Set<(what: "agents" | "left") => void>();
  const tell = (what: "agents" | "left") => {
    for (const listener of listeners) listener(what);
  };
  const changed = (ended: boolean) => tell(ended ? "left" : "agents");
  let trees: Promise<GitWorktrees> | undefined;
  const worktrees = () => {
    trees ??= openWorktrees(parts, parts.doors().cwd, parts.around);
    return trees;
  };
  let tidying: Promise<void> | undefined;
  const tidy = () => {
    tidying ??= prune(parts, worktrees);
    return tidying;
  };
  let opening: Promise<Orchestrator> | undefined;
  const open = () => {
    opening ??= openOrchestrator(parts, { types, worktrees: worktrees(), changed }).then((made) => {
      started = made;
      // Behind the first subagent, which need not wait for it.
      if (parts.subagent === undefined) void tidy();
      return made;
    });
    return opening;
  };
  const announcements = new Announcements((report) => tellEnd(parts, report));
  const tool = agentTool({
    announce: (agent) => announcements.expect(agent),
    heard: (agent) => announcements.heard(agent),
    types: () => types,
    list: () => started?.list() ?? [],
    get: (id) => started?.get(id),
    start: async (request) => (await open()).start(request),
    apply: async (id) => (await open()).apply(id),
    whileWaiting: async (wait) => (await open()).whileWaiting(wait),
  });
  const [first, ...more] = problems;
  if (first !== undefined && parts.subagent === undefined) {
    const place = first.line === undefined ? first.file : `${first.file}:${first.line}`;
    const rest = more.length === 0 ? "" : ` (and ${more.length} more; /agents lists them)`;
    parts.notices.warn(`an agent file is not used as it stands: ${place}: ${first.message}${rest}`);
  }
  return {
    tools: allowed(parts) ? [tool] : [],
    callbacks: {
      name: "subagents",
      async beforeModel(request) {
        const text = announcements.take();
        if (text === null) return undefined;
        const reminder: UserMessage = { role: "user", origin: "reminder", parts: [{ type: "text", text }] };
        // Stored, so that the requests after this one begin in the same way.
        parts.running().conversation.append(reminder);
        return { ...request, messages: [...request.messages, reminder] };
      },
    },
    sharing(client, provider) {
      if (!allowed(parts) || parts.subagent !== undefined) return client;
      let paused: ModelClient | undefined;
      const current = () => {
        if (started === null) return client;
        paused ??= new SharedPause(parts.team(), systemClock, Math.random).around(client, provider);
        return paused;
      };
      return {
        rules: client.rules,
        source: (model) => client.source(model),
        stream: (request, signal) => current().stream(request, signal),
      };
    },
    types,
    problems,
    get started() {
      return started;
    },
    open,
    all,
    heldBy(id) {
      const holds = (run: (typeof ofRuns)[number]) => run.id === id || run.agents.get(id) !== undefined;
      return ofRuns.find((run) => !run.over && holds(run))?.id ?? null;
    },
    run: () => ofRuns.find((run) => !run.over)?.id ?? null,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    leftChanged: () => tell("left"),
    running: () => all().filter((agent) => agent.running).length,
    spent: () => all().reduce((sum, agent) => sum + agent.report().usage.total, 0),
    worktrees,
    async at(id, cwd) {
      const made = await openWorktrees(parts, cwd);
      const agents = await openOrchestrator(parts, { types, worktrees: Promise.resolve(made), cwd, changed });
      const run = { id, agents, over: false };
      ofRuns.push(run);
      return {
        agents,
        worktrees: made,
        over() {
          run.over = true;
          tell("left");
        },
      };
    },
    off: () => (allowed(parts) ? null : "this run may have no subagents"),
    tidy,
    close: async () => {
      await opening?.catch(() => null);
      const ended = await Promise.all(teams().map((team) => team.close()));
      for (const { id, change } of ended.flat())
        parts.notices.warn(
          `the subagent ${id} was still at work and was ended with the session${change === null ? "" : `; what it changed is on the branch ${change.branch}`}`,
        );
      await tidying;
    },
  };
}

/** Says to the person that a background subagent has ended; of one that somebody stopped they know. */
function tellEnd({ onAgentEnd, notices }: SubagentParts, { id, state, reason, task }: AgentReport): void {
  if (state === "cancelled") return;
  const how = state === "done" ? "is done" : `${state.replace("_", " ")}: ${reason ?? "no reason is known"}`;
  const line = task.trim().split("\n", 1)[0]!;
  const words = line.length > 60 ? `${line.slice(0, 59).toWellFormed()}…` : line;
  const level = state === "done" ? "info" : "warning";
  const message = `the subagent ${id} ${how} (${words})`;
  if (onAgentEnd === undefined) notices.add({ level, message });
  else onAgentEnd(level, message);
}

async function prune({ notices }: SubagentParts, worktrees: () => Promise<GitWorktrees>): Promise<void> {
  try {
    const { kept } = await (await worktrees()).prune();
    if (kept > 0)
      notices.warn(
        `${kept === 1 ? "a subagent's worktree of an earlier run holds" : `${kept} worktrees of subagents of earlier runs hold`} work that is nowhere else; /agents lists it`,
      );
  } catch (thrown) {
    notices.warn(`worktrees of earlier subagents were not looked at: ${errorMessage(thrown)}`);
  }
}

async function openWorktrees(
  parts: SubagentParts,
  cwd: string,
  around?: SubagentParts["around"],
): Promise<GitWorktrees> {
  const [{ GitWorktrees: Worktrees }, { neutralArguments }] = await Promise.all([
    import("../subagent/worktree/git-worktrees.ts"),
    import("../tools/shared/git/untrusted-config.ts"),
  ]);
  const { processes } = parts.doors();
  const watching = around === undefined ? {} : { around };
  return new Worktrees({ processes, clock: systemClock, cwd, neutralArguments, ...watching });
}

async function openOrchestrator(
  parts: SubagentParts,
  team: {
    types: readonly AgentType[];
    worktrees: Promise<GitWorktrees>;
    /** Default: the project. */
    cwd?: string;
    changed(ended: boolean): void;
  },
): Promise<Orchestrator> {
  const { types, worktrees, changed } = team;
  const [{ Orchestrator: Made }, trees] = await Promise.all([
    import("../subagent/orchestrator.ts"),
    worktrees,
  ]);
  const { settings, subagent, session } = parts;
  const { processes, cwd: project } = parts.doors();
  const folder = subagent?.handoff.team ?? parts.team();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return new Made({
    types,
    processes,
    clock: systemClock,
    cwd: team.cwd ?? project,
    argv: [...ownProgram(), "--mode", "json", `--${SUBAGENT_FLAG}`],
    team: folder,
    limits: settings.config.subagent,
    depth: subagent?.handoff.depth ?? 0,
    tools: () => parts.running().tools.filter((tool) => !parts.planned() || tool.kind !== "edit"),
    get readOnly() {
      return parts.planned() || (subagent?.handoff.agent.readOnly ?? false);
    },
    shared: () => ({
      version: VERSION,
      thinking: parts.running().thinking,
      project: settings.project,
      trusted: settings.trusted,
      environment: definedOnly(
        team.cwd === undefined ? parts.environment : withoutRepository(parts.environment),
      ),
      parentSession: session.id,
      team: folder,
      noSession: parts.flags.noSession,
      noSkills: parts.flags.noSkills,
      noContextFiles: parts.flags.noContextFiles,
      planMode: parts.planned(),
    }),
    servers: async (tools) => serversOf(await parts.hub(), tools),
    config: (servers, readOnly) => narrowedConfig(parts, servers, readOnly),
    model: (type) => modelFor(parts, type),
    worktrees: trees,
    person: parts.ask ?? null,
    changed,
    ownPlace: subagent?.place ?? null,
  });
}
