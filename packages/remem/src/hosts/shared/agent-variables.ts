/** Variables by which a program that runs commands for a model is known, in the shells and programs it starts. The first is ours. */
const AGENT_VARIABLES = [
  "REMEM_AGENT",
  "AI_AGENT",
  "CLAUDECODE",
  "CODEX_SANDBOX",
  "CURSOR_AGENT",
  "GEMINI_CLI",
  "OPENCODE",
  // Pi's, in its shell, and in a Pi that works for another one.
  "PI_SESSION_ID",
  "PI_SUBAGENT_CHILD",
] as const;

/** The variable that says that an agent started this process; undefined when none does. */
export function agentVariable(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return AGENT_VARIABLES.find((name) => !["", "0", undefined].includes(environment[name]));
}
