import type { AgentsPorts, AgentsReport, TranscriptStep } from "../../../commands/slash/agents-ports.ts";
import { PiError } from "../../../contract/errors.ts";
import type { SurfaceControl } from "../../../contract/interactive.ts";
import { type Message, textOf } from "../../../contract/messages.ts";
import type { AgentType, JoinedChange, LeftAgentWork } from "../../../contract/subagents.ts";
import type { AgentRun } from "../../../subagent/agent-run.ts";
import type { App } from "../../app.ts";
import type { Program } from "../program.ts";
import { homeRelative } from "./settings-port.ts";

/** Characters of one step of a transcript. */
const MOST_OF_A_STEP = 2_000;

/** The subagents of the open conversation and of runs beside it, and the work that any left in this project. */
export function agentsPort(program: Program, surface: Pick<SurfaceControl, "agents">): AgentsPorts["agents"] {
  const app = (): App => {
    if (program.app !== undefined) return program.app;
    throw new Error("the conversation is not open");
  };
  const find = (id: string): AgentRun | undefined =>
    app()
      .subagents.all()
      .findLast((run) => run.id === id);
  const started = (id: string): AgentRun => {
    const found = find(id);
    if (found !== undefined) return found;
    throw new PiError({ code: "agent_unknown", message: `${id} is not of this session` });
  };
  /** Does something with work that nobody else holds, and lets it be known. */
  const withWork = async <T>(id: string, act: () => Promise<T>): Promise<T> => {
    const run = find(id);
    if (run?.running === true)
      throw new PiError({
        code: "agent_busy",
        message: `${id} is still running`,
        hint: `/agents stop ${id} ends it; its work is kept.`,
      });
    const holder = app().subagents.heldBy(id);
    if (holder !== null)
      throw new PiError({
        code: "agent_busy",
        message: `${id} works for ${holder}, which is in progress`,
        hint: "/run stop stops that run; its work is kept.",
      });
    try {
      return await act();
    } finally {
      app().subagents.leftChanged();
    }
  };
  const join = (id: string, act: () => Promise<JoinedChange>): Promise<JoinedChange> =>
    withWork(id, async () => {
      const joined = await act();
      const run = find(id);
      if (run !== undefined && (joined.outcome === "joined" || joined.outcome === "nothing"))
        run.change = null;
      return joined;
    });
  return {
    off: () => (program.app === undefined ? "the conversation is not open" : null),
    list: () => report(app()),
    live: (signal) => {
      const { subagents } = app();
      const board = {
        agents: () => subagents.all(),
        left: () => leftOf(app()),
        subscribe: (listener: (what: "agents" | "left") => void) => subagents.subscribe(listener),
      };
      return surface.agents(board, signal);
    },
    async transcript(id) {
      const { session } = started(id).report();
      if (session === null) return null;
      const { sessionStore } = await import("../../open-session.ts");
      const { home } = program.parts.place;
      return stepsOf(sessionStore(home, program.parts.notices).read(session).messages);
    },
    async stop(id) {
      const agent = started(id);
      if (!agent.running) return `${id} had ended already.`;
      const { change } = await agent.stop();
      return change === null
        ? `${id} is stopped.`
        : `${id} is stopped; its work is on the branch ${change.branch}.`;
    },
    apply: (id) => join(id, async () => (await app().subagents.worktrees()).apply(id)),
    merge: (id) => join(id, async () => (await app().subagents.worktrees()).merge(id)),
    drop: (id) =>
      withWork(id, async () => {
        const commit = await (await app().subagents.worktrees()).drop(id);
        const run = find(id);
        if (run !== undefined) run.change = null;
        const found = commit === null ? "" : ` For a while git still has it as ${commit.slice(0, 10)}.`;
        return `The work of ${id} is forgotten.${found}`;
      }),
  };
}

async function report(app: App): Promise<AgentsReport> {
  const { subagents } = app;
  return {
    running: subagents.all().map((agent) => agent.report()),
    left: await leftOf(app),
    types: subagents.types.map((type) => ({
      name: type.name,
      description: type.description,
      role: type.model ?? type.role ?? "as the run",
      from: fromOf(type),
    })),
    problems: subagents.problems.map((problem) => ({ ...problem, file: homeRelative(problem.file) })),
  };
}

/** What a run in progress goes on with is nobody's to join. */
async function leftOf({ subagents }: App): Promise<LeftAgentWork[]> {
  const left = await (await subagents.worktrees()).left();
  return left.map((work) => (subagents.heldBy(work.id) === null ? work : { ...work, busy: true }));
}

function fromOf({ file }: AgentType): string {
  return file === null ? "built in" : homeRelative(file);
}

/** What was said and done, one step an entry; results only where they failed. */
function stepsOf(messages: readonly Message[]): TranscriptStep[] {
  const steps: TranscriptStep[] = [];
  const add = (who: string, text: string) => {
    if (text.trim() !== "")
      steps.push({
        who,
        text: text.length > MOST_OF_A_STEP ? `${text.slice(0, MOST_OF_A_STEP).toWellFormed()}…` : text,
      });
  };
  for (const message of messages)
    for (const part of message.parts)
      if (part.type === "text" && message.role === "user" && message.origin === "user")
        add("task", part.text);
      else if (part.type === "text" && message.role === "assistant") add("agent", part.text);
      else if (part.type === "tool_call") add(part.name, JSON.stringify(part.arguments));
      else if (part.type === "tool_result" && part.isError) add(`${part.name} failed`, textOf(part.content));
  return steps;
}
