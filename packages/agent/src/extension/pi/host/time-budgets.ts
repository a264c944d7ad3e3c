/** How long a handler may hold up the agent, in milliseconds, by event. After that pi goes on without it. Time that a dialog of its is open does not count. */
const BUDGETS: Readonly<Record<string, number>> = {
  session_start: 5_000,
  resources_discover: 5_000,
  input: 10_000,
  before_agent_start: 15_000,
  context: 10_000,
  before_provider_request: 5_000,
  before_provider_headers: 5_000,
  after_provider_response: 2_000,
  project_trust: 30_000,
  tool_call: 30_000,
  tool_result: 10_000,
  // It may ask a model.
  session_before_compact: 120_000,
  session_before_tree: 120_000,
  session_before_switch: 30_000,
  session_before_fork: 30_000,
  agent_end: 10_000,
  agent_settled: 60_000,
  agent_before_settle: 60_000,
  turn_end: 10_000,
  session_shutdown: 3_000,
  user_bash: 30_000,
};

const OTHERS_MS = 2_000;

export function timeBudget(event: string): number {
  return BUDGETS[event] ?? OTHERS_MS;
}
