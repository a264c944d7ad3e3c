import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { AgentType } from "../../contract/subagents.ts";

/** What calls of the `agent` tool are judged by. */
export interface AgentFacts {
  agentTypes(): readonly AgentType[];
  agentTypeOf(id: string): string | undefined;
}

/** Why a call of the `agent` tool may not run in plan mode: only types that read, and no git worktree. */
export function agentProblem(input: JsonObject, facts: AgentFacts): string | undefined {
  const { resume, apply, task, worktree } = input;
  const types = facts.agentTypes();
  const readers = types.filter((type) => type.readOnly && !type.worktree).map(({ name }) => name);
  if (apply === true) return "apply would change the project's files";
  const entries = [input["tasks"], input["chain"]].flatMap((list) => (Array.isArray(list) ? list : []));
  if ([input, ...entries].some((entry) => isJsonObject(entry) && entry["worktree"] === true))
    return "a git worktree would be made";
  // Waiting for a result changes nothing.
  if (typeof resume === "string" && entries.length === 0)
    return typeof task !== "string" ? undefined : unlessReader(facts.agentTypeOf(resume), types, readers);
  const named = entries.length === 0 ? [input] : entries.filter(isJsonObject);
  for (const entry of named) {
    const name = entry["agent"] ?? entry["type"];
    // Without a worktree of its own a type of readers may be used although it would have one.
    const problem = unlessReader(name, types, readers, entry["worktree"] === false || worktree === false);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function unlessReader(
  name: unknown,
  types: readonly AgentType[],
  readers: readonly string[],
  withoutWorktree = false,
): string | undefined {
  // The tool itself says what is wrong with a name that nobody has.
  if (typeof name !== "string") return name === undefined ? "this subagent is not known here" : undefined;
  const type =
    types.find((each) => each.name === name) ?? types.find((each) => each.name === name.replaceAll("-", "_"));
  if (type === undefined || (type.readOnly && (withoutWorktree || !type.worktree))) return undefined;
  return `the agent ${type.name} may change files; in plan mode there are ${readers.join(", ")}`;
}
