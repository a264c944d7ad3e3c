import type { AgentsPorts, AgentsReport, TranscriptStep } from "../../../commands/slash/agents-ports.ts";
import { PiError } from "../../../contract/errors.ts";
import type { Message } from "../../../contract/messages.ts";
import type { AgentType, StartedAgent } from "../../../contract/subagents.ts";
import type { App } from "../../app.ts";
import type { Program } from "../program.ts";
import { homeRelative } from "./settings-port.ts";

/** Characters of one step of a transcript. */
const MOST_OF_A_STEP = 2_000;

/** The subagents of the open conversation, and the work that any left in this project. */
export function agentsPort(program: Program): AgentsPorts["agents"] {
  const app = (): App => {
    if (program.app !== undefined) return program.app;
    throw new Error("the conversation is not open");
  };
  const started = (id: string): StartedAgent => {
    const found = app().subagents.started?.get(id);
    if (found !== undefined) return found;
    throw new PiError({ code: "agent_unknown", message: `${id} is not of this session` });
  };
  return {
    off: () => (program.app === undefined ? "the conversation is not open" : null),
    list: () => report(app()),
    async transcript(id) {
      const { session } = started(id).report();
      if (session === null) return null;
      const { sessionStore } = await import("../../open-session.ts");
      const { home } = program.parts.place;
      return stepsOf(sessionStore(home, program.parts.notices).read(session).messages);
    },
    async stop(id) {
      const agent = started(id);
      const before = agent.report().state;
      if (before !== "running" && before !== "waiting") return `${id} had ended already.`;
      const { change } = await agent.stop();
      return change === null
        ? `${id} is stopped.`
        : `${id} is stopped; its work is on the branch ${change.branch}.`;
    },
    apply: async (id) => (await app().subagents.open()).apply(id),
    merge: async (id) => (await app().subagents.worktrees()).merge(id),
    async drop(id) {
      const commit = await (await app().subagents.worktrees()).drop(id);
      const found = commit === null ? "" : ` For a while git still has it as ${commit.slice(0, 10)}.`;
      return `The work of ${id} is forgotten.${found}`;
    },
  };
}

async function report({ subagents }: App): Promise<AgentsReport> {
  const trees = await subagents.worktrees();
  return {
    running: (subagents.started?.list() ?? []).map((agent) => agent.report()),
    left: await trees.left(),
    types: subagents.types.map((type) => ({
      name: type.name,
      description: type.description,
      role: type.model ?? type.role ?? "as the run",
      from: fromOf(type),
    })),
    problems: subagents.problems.map((problem) => ({ ...problem, file: homeRelative(problem.file) })),
  };
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
  return steps;
}
