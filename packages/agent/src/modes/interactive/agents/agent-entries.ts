import type { AgentReport, LeftAgentWork, StartedAgent } from "../../../contract/subagents.ts";

/** A line of the list of subagents: one of this session, or work that is left over. */
export type AgentEntry =
  | { id: string; agent: StartedAgent; report: AgentReport }
  | { id: string; work: LeftAgentWork };

/** Those at work first, in the order of their start; then those that ended, the latest first; then what is left of others. */
export function agentEntries(agents: readonly StartedAgent[], left: readonly LeftAgentWork[]): AgentEntry[] {
  const entries = agents.map((agent) => ({ id: agent.id, agent, report: agent.report() }));
  const known = new Set(entries.map(({ id }) => id));
  return [
    ...entries.filter(({ report }) => atWork(report)),
    ...entries.filter(({ report }) => !atWork(report)).reverse(),
    ...left.filter(({ id, busy }) => !busy && !known.has(id)).map((work) => ({ id: work.id, work })),
  ];
}

/** Whether it has not ended yet. */
export function atWork({ state }: Pick<AgentReport, "state">): boolean {
  return state === "waiting" || state === "running";
}
