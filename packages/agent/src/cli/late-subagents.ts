import { mkdirSync } from "node:fs";
import type { RunnerOptions } from "../agent/options.ts";
import type { Callbacks } from "../contract/callbacks.ts";
import { errorMessage } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { UserMessage } from "../contract/messages.ts";
import type { ModelClient, ModelInfo } from "../contract/model.ts";
import type { AgentProblem, AgentReport, AgentType } from "../contract/subagents.ts";
import type { AnyTool, ToolContext } from "../contract/tool.ts";
import type { McpHub } from "../extension/mcp/mcp-hub.ts";
import { systemClock } from "../platform/clock.ts";
import { Announcements } from "../subagent/announcements.ts";
import { type Handoff, SUBAGENT_FLAG } from "../subagent/handoff.ts";
import type { Orchestrator } from "../subagent/orchestrator.ts";
import { SharedPause } from "../subagent/shared-pause.ts";
import type { GitWorktrees } from "../subagent/worktree/git-worktrees.ts";
import { agentTool } from "../tools/agent/agent.ts";
import { agentTypes } from "./agent-types.ts";
import type { AppParts } from "./app-parts.ts";
import { resolveOptions } from "./choose-model.ts";
import { ownProgram } from "./own-program.ts";
import { VERSION } from "./version.ts";

/** What subagents are started with; the functions are not called before the conversation is built. */
export interface SubagentParts extends AppParts {
  doors(): Pick<ToolContext, "processes" | "cwd">;
  /** As they are in this moment. */
  running(): Pick<RunnerOptions, "model" | "thinking" | "tools" | "conversation">;
  /** The MCP servers; null when there are none. */
  hub(): Promise<McpHub | null>;
  /** A folder of the session's own; it need not exist yet. */
  team(): string;
  /** Plan mode is on. */
  planned(): boolean;
}

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
  /** How many are at work. */
  running(): number;
  /** Tokens that they took in this program. */
  spent(): number;
  /** Removes what earlier runs left, where that is no loss, and says what is left. Never rejects. */
  tidy(): Promise<void>;
  worktrees(): Promise<GitWorktrees>;
  /** Subagents that work in another folder of this repository (the copy of a run), within the same limits. */
  at(cwd: string): Promise<{ agents: Orchestrator; worktrees: GitWorktrees }>;
  /** Why there can be none in this run; null when there may be some. */
  off(): string | null;
  /** Ends all of them and keeps their work. Never rejects. */
  close(): Promise<void>;
}

/** Whether this agent may have subagents at all: there is a way to its model that can be handed over, and the depth allows it. */
function allowed({ settings, subagent, modelGiven }: SubagentParts): boolean {
  return modelGiven !== true && (subagent?.handoff.depth ?? 0) < settings.config.subagent.maxDepth;
}

/** The types and the tool of a conversation's subagents. */
export async function lateSubagents(parts: SubagentParts): Promise<LateSubagents> {
  const { types, problems } = await agentTypes(parts);
  let started: Orchestrator | null = null;
  const elsewhere: Orchestrator[] = [];
  const all = () => [...(started === null ? [] : [started]), ...elsewhere];
  let trees: Promise<GitWorktrees> | undefined;
  const worktrees = () => {
    trees ??= openWorktrees(parts, parts.doors().cwd);
    return trees;
  };
  let tidying: Promise<void> | undefined;
  const tidy = () => {
    tidying ??= prune(parts, worktrees);
    return tidying;
  };
  let opening: Promise<Orchestrator> | undefined;
  const open = () => {
    opening ??= openOrchestrator(parts, types, worktrees(), parts.doors().cwd).then((made) => {
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
    running: () => all().flatMap((team) => team.list().filter((agent) => agent.running)).length,
    spent: () =>
      all()
        .flatMap((team) => team.list())
        .reduce((sum, agent) => sum + agent.report().usage.total, 0),
    worktrees,
    async at(cwd) {
      const made = await openWorktrees(parts, cwd);
      const agents = await openOrchestrator(parts, types, Promise.resolve(made), cwd);
      elsewhere.push(agents);
      return { agents, worktrees: made };
    },
    off: () => (allowed(parts) ? null : "this run may have no subagents"),
    tidy,
    close: async () => {
      await opening?.catch(() => null);
      const ended = await Promise.all(all().map((team) => team.close()));
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

async function openWorktrees(parts: SubagentParts, cwd: string): Promise<GitWorktrees> {
  const [{ GitWorktrees: Worktrees }, { neutralArguments }] = await Promise.all([
    import("../subagent/worktree/git-worktrees.ts"),
    import("../tools/shared/git/untrusted-config.ts"),
  ]);
  const { processes } = parts.doors();
  return new Worktrees({ processes, clock: systemClock, cwd, neutralArguments });
}

async function openOrchestrator(
  parts: SubagentParts,
  types: readonly AgentType[],
  worktrees: Promise<GitWorktrees>,
  cwd: string,
): Promise<Orchestrator> {
  const [{ Orchestrator: Made }, trees] = await Promise.all([
    import("../subagent/orchestrator.ts"),
    worktrees,
  ]);
  const { settings, subagent, session } = parts;
  const { processes } = parts.doors();
  const team = subagent?.handoff.team ?? parts.team();
  mkdirSync(team, { recursive: true, mode: 0o700 });
  return new Made({
    types,
    processes,
    clock: systemClock,
    cwd,
    argv: [...ownProgram(), "--mode", "json", `--${SUBAGENT_FLAG}`],
    team,
    limits: settings.config.subagent,
    depth: subagent?.handoff.depth ?? 0,
    tools: () =>
      parts
        .running()
        .tools.filter((tool) => !FOUND_BY_SEARCH.has(tool.name) && (!parts.planned() || tool.kind !== "edit"))
        .map(({ name }) => name),
    get readOnly() {
      return parts.planned() || (subagent?.handoff.agent.readOnly ?? false);
    },
    shared: () => ({
      version: VERSION,
      thinking: parts.running().thinking,
      project: settings.project,
      trusted: settings.trusted,
      environment: definedOnly(parts.environment),
      parentSession: session.id,
      team,
      noSession: parts.flags.noSession,
      noSkills: parts.flags.noSkills,
      noContextFiles: parts.flags.noContextFiles,
      planMode: parts.planned(),
    }),
    servers: async (tools) => serversOf(await parts.hub(), tools),
    config: (servers, readOnly) => narrowed(parts, servers, readOnly),
    model: (type) => modelFor(parts, type),
    worktrees: trees,
    ownPlace: subagent?.place ?? null,
  });
}

/** They lead to tools beyond those that the caller has declared, of which a subagent is given none. */
const FOUND_BY_SEARCH: ReadonlySet<string> = new Set(["mcp-search", "mcp-call"]);

/** Hooks that judge calls hold for subagents, too; those that tell of a session or of what a person said are for the one with the person. */
const HOOKS_OF_CALLS: readonly string[] = ["before_tool", "after_tool", "before_compact"];

/** The configuration of this run, less what a subagent must not have. */
function narrowed({ settings }: SubagentParts, servers: readonly string[], readOnly: boolean): JsonObject {
  const { config } = settings;
  const { sandbox, memory, mcp, hooks } = config;
  const own = {
    ...config,
    sandbox: readOnly ? { ...sandbox, tier: "read-only" as const } : sandbox,
    memory: { ...memory, enabled: false },
    mcp: { ...mcp, servers: mcp.servers.filter(({ name }) => servers.includes(name)) },
    hooks: hooks.filter(({ event }) => HOOKS_OF_CALLS.includes(event)),
  };
  return JSON.parse(JSON.stringify(own)) as JsonObject;
}

/** The names of the servers that lend some of these tools. */
function serversOf(hub: McpHub | null, tools: readonly string[]): readonly string[] {
  if (hub === null) return [];
  const lenders = hub.lenders();
  const lending = tools.flatMap((tool) => lenders.get(tool) ?? []);
  const withResources = tools.includes("mcp-resources")
    ? hub.servers.filter(({ catalog }) => catalog?.resources === true).map(({ name }) => name)
    : [];
  return [...new Set([...lending, ...withResources])];
}

async function modelFor(
  parts: SubagentParts,
  type: AgentType,
): Promise<{ model: ModelInfo; provider: Handoff["provider"] }> {
  const { subagent, flags, settings, environment, home, notices } = parts;
  const { model } = parts.running();
  const roles = settings.config.roles;
  const asRun = type.model === null && (type.role === null || !Object.hasOwn(roles, type.role));
  // What was handed to a subagent is all it knows of providers.
  if (subagent !== undefined && asRun)
    return { model: subagent.handoff.model, provider: subagent.handoff.provider };
  const [{ resolveModel }, options] = await Promise.all([
    import("../provider/registry/resolve.ts"),
    resolveOptions(flags, settings, environment, home, notices),
  ]);
  const request = asRun ? `${model.provider}/${model.id}` : type.model;
  const wanted = { ...options, request, role: request === null ? type.role : null };
  const own = await resolveModel(wanted);
  // An address and headers from the command line are for the provider of the run: with another one's key they must not meet.
  const resolved =
    own.model.provider === model.provider
      ? own
      : await resolveModel({ ...wanted, url: null, flagHeaders: {} });
  const { provider: name, wire, baseUrl, apiKey, headers } = resolved.settings;
  return {
    model: resolved.model,
    provider: {
      name,
      wire,
      baseUrl,
      headers,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(resolved.login === null ? {} : { login: true as const }),
    },
  };
}

function definedOnly(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
