import type { AgentReport, AgentRequest, StartedAgent, Subagents } from "../../contract/subagents.ts";
import type { ToolContext, ToolDefinition, ToolOutcome } from "../../contract/tool.ts";
import { failed, failureOf, found, refused } from "../shared/outcome.ts";
import { agentDescription, agentInput } from "./agent.prompt.ts";
import { resultDetails, resultText } from "./agent-result.ts";

/** Tasks of one call. */
const MOST_TASKS = 8;

interface Task {
  agent: string;
  task: string;
  worktree?: boolean;
}

/** An entry of a list as models send it. */
interface Entry extends Partial<Task> {
  type?: string;
  prompt?: string;
}

interface AgentInput extends Partial<Task> {
  tasks?: Entry[];
  chain?: Entry[];
  background?: boolean;
  resume?: string;
  apply?: boolean;
}

/** Hands tasks to subagents and gives back how each ended. */
export function agentTool(subagents: Subagents): ToolDefinition<AgentInput> {
  return {
    name: "agent",
    kind: "run",
    description: agentDescription(subagents.types()),
    input: agentInput,
    aliases: { type: "agent", subagent_type: "agent", prompt: "task", message: "task", steps: "chain" },
    async run(input, context) {
      const problem = problemOf(input);
      if (problem !== undefined) return refused(problem);
      try {
        return await new Call(subagents, input, context).run();
      } catch (thrown) {
        return failureOf(thrown);
      }
    },
  };
}

function problemOf({ agent, task, tasks, chain, resume, background, apply }: AgentInput): string | undefined {
  const list = chain ?? tasks;
  if (list !== undefined) {
    if (list.length === 0) return "The list is empty. Give at least one {agent, task}.";
    if (list.length > MOST_TASKS)
      return `${list.length} tasks are too many for one call: at most ${MOST_TASKS}.`;
    if (chain !== undefined && background)
      return "A chain cannot run in the background; its tasks can, one by one.";
    if (resume !== undefined) return "resume goes on with one subagent; it does not go with tasks or chain.";
    return list.map(taskOf).some(({ agent: name, task: words }) => name === "" || words.trim() === "")
      ? "Each entry needs agent and task."
      : undefined;
  }
  if (resume !== undefined) return undefined;
  if (apply && agent === undefined)
    return "apply needs resume: the id of the subagent whose change is meant.";
  if (agent === undefined || task === undefined || task.trim() === "")
    return "Give agent and task, or tasks, or chain, or resume.";
  return undefined;
}

/** The other names are taken in lists as at the top. */
function taskOf({ agent, type, task, prompt, worktree }: Entry): Task {
  const words = task ?? prompt;
  const name = agent ?? type;
  return {
    agent: typeof name === "string" ? name : "",
    task: typeof words === "string" ? words : "",
    ...(worktree === undefined ? {} : { worktree }),
  };
}

/** One call of the tool. */
class Call {
  readonly #subagents: Subagents;
  readonly #input: AgentInput;
  readonly #context: ToolContext;

  constructor(subagents: Subagents, input: AgentInput, context: ToolContext) {
    this.#subagents = subagents;
    this.#input = input;
    this.#context = context;
  }

  async run(): Promise<ToolOutcome> {
    const { chain, tasks, resume, task, agent = "", worktree, apply } = this.#input;
    const more = worktree === undefined ? {} : { worktree };
    if (chain !== undefined) return await this.#chain(chain.map((step) => ({ ...more, ...taskOf(step) })));
    if (tasks !== undefined) return await this.#all(tasks.map((one) => ({ ...more, ...taskOf(one) })));
    if (resume === undefined) return await this.#all([{ agent, task: task ?? "", ...more }]);
    if (task !== undefined && task.trim() !== "") return await this.#all([{ agent, task, resume, ...more }]);
    const known = this.#subagents.get(resume);
    if (apply && known?.report().state !== "running") return await this.#apply(resume);
    if (known === undefined)
      return refused(`There is no subagent "${resume.slice(0, 100)}" in this session.${this.#names()}`);
    const [report] = await this.#wait([known], false);
    return report === undefined ? this.#stillRunning(known) : await this.#told([report]);
  }

  async #all(requests: readonly AgentRequest[]): Promise<ToolOutcome> {
    const names = new Set(this.#subagents.types().map((type) => type.name));
    const unknown = requests.filter(
      ({ agent, resume }) =>
        resume === undefined && !names.has(agent.replaceAll("-", "_")) && !names.has(agent),
    );
    // Before any is started: half of a batch is worth less than an error that can be mended.
    if (unknown.length > 0)
      return refused(
        `There is no agent ${unknown.map(({ agent }) => JSON.stringify(agent.slice(0, 100))).join(", ")}, and none was started. Agents: ${[...names].join(", ")}.`,
      );
    const started: StartedAgent[] = [];
    const refusals: string[] = [];
    for (const request of requests)
      try {
        started.push(await this.#subagents.start(request));
      } catch (thrown) {
        refusals.push(failureOf(thrown).text);
      }
    if (started.length === 0) return failed([...new Set(refusals)].join("\n"), { results: [] });
    if (this.#input.background) {
      for (const agent of started) this.#subagents.announce(agent);
      return background(started, refusals);
    }
    return await this.#told(await this.#wait(started, true), refusals);
  }

  async #chain(steps: readonly Task[]): Promise<ToolOutcome> {
    const reports: AgentReport[] = [];
    for (const step of steps) {
      const before = reports.at(-1)?.text ?? "";
      const task = step.task
        .replaceAll("{previous_json}", () => JSON.stringify(before))
        .replaceAll("{previous}", () => before);
      const [report] = await this.#wait([await this.#subagents.start({ ...step, task })], true);
      if (report === undefined) break;
      reports.push(report);
      if (report.state !== "done") break;
    }
    const left = steps.length - reports.length;
    return await this.#told(
      reports,
      left > 0 ? [`The chain stopped there: ${left} of its ${steps.length} steps were not begun.`] : [],
    );
  }

  /** Their ends. An interruption ends those that this call began (`own`); of others it ends only the waiting. */
  async #wait(agents: readonly StartedAgent[], own: boolean): Promise<AgentReport[]> {
    const { signal, progress } = this.#context;
    const still = agents.map((one) => one.onAction((words) => progress(`${one.id}: ${words}\n`)));
    const stopped = Promise.withResolvers<null>();
    const onAbort = () => {
      if (own) for (const one of agents) void one.stop();
      else stopped.resolve(null);
    };
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const all = Promise.all(agents.map((one) => one.ended));
      const ends = await this.#subagents.whileWaiting(() => Promise.race([all, stopped.promise]));
      if (ends !== null) for (const one of agents) this.#subagents.heard(one);
      return ends ?? [];
    } finally {
      signal.removeEventListener("abort", onAbort);
      for (const end of still) end();
    }
  }

  async #told(reports: readonly AgentReport[], more: readonly string[] = []): Promise<ToolOutcome> {
    const texts = reports.map((report) => resultText(report, this.#context.spill));
    if (this.#input.apply)
      for (const { id, change } of reports)
        if (change !== null) texts.push(`[${(await this.#subagents.apply(id)).message}]`);
    const text = [...texts, ...more].join("\n\n");
    const details = { results: reports.map(resultDetails) };
    const good = reports.some(({ state }) => state === "done");
    return good ? found(text, details) : failed(text, details);
  }

  async #apply(id: string): Promise<ToolOutcome> {
    const { outcome, message, files } = await this.#subagents.apply(id);
    const details = { files: [...files] };
    return outcome === "joined" || outcome === "nothing" ? found(message, details) : failed(message, details);
  }

  #stillRunning(agent: StartedAgent): ToolOutcome {
    const { lastAction } = agent.report();
    return found(`${agent.id} is still running${lastAction === "" ? "" : `; last: ${lastAction}`}.`);
  }

  #names(): string {
    const ids = this.#subagents.list().map((one) => one.id);
    return ids.length === 0 ? " None was started yet." : ` There are ${ids.join(", ")}.`;
  }
}

function background(started: readonly StartedAgent[], refusals: readonly string[]): ToolOutcome {
  const ids = started.map(({ id }) => id);
  const how = `agent {"resume": ID} waits for a result, and an end is told to you by itself; they end with the session.`;
  return found([`Started ${ids.join(", ")} in the background. ${how}`, ...refusals].join("\n"), {
    handles: ids,
    running: true,
  });
}
