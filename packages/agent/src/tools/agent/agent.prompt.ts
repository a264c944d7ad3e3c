import type { JsonSchema } from "../../contract/json.ts";
import type { AgentType } from "../../contract/subagents.ts";

const task = {
  type: "object",
  // Not required: models send the other names here, too, and the tool itself says what is missing.
  properties: { agent: { type: "string" }, task: { type: "string" }, worktree: { type: "boolean" } },
} as const;

/** What a model sends to `agent`. */
export const agentInput = {
  type: "object",
  properties: {
    agent: { type: "string" },
    task: { type: "string", description: "all it needs to know: it sees nothing of this conversation" },
    tasks: { type: "array", items: task, description: "up to 8, in parallel" },
    chain: {
      type: "array",
      items: task,
      description:
        "up to 8, one after the other; {previous} is the answer before, {previous_json} the same in JSON quotes",
    },
    worktree: { type: "boolean", description: "work on a git worktree; the change is kept on a branch" },
    background: { type: "boolean", description: "return at once with an id" },
    resume: {
      type: "string",
      description: "id: with task the next message to a finished one, without it wait for its result",
    },
    apply: { type: "boolean", description: "bring the branch's change into the project's files" },
  },
} as const satisfies JsonSchema;

/** What a model is told of `agent`. */
export function agentDescription(types: readonly AgentType[]): string {
  const list = types.map(({ name, description }) => `${name} (${description || "no description"})`);
  return `Hand work to subagents; each gives back its last message. Good for searches that would fill your context and for work that can go side by side. Agents: ${list.join("; ")}.`;
}
