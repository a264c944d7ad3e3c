import type { AgentType } from "../contract/subagents.ts";

const MINUTE = 60_000;

const LOOK = [
  "read",
  "grep",
  "find",
  "ls",
  "tree",
  "git-overview",
  "git-file-diff",
  "git-hunk",
  "lsp-diagnostics",
  "lsp-symbols",
  "lsp-definition",
  "lsp-references",
  "lsp-hover",
] as const;
const COMMANDS = ["bash", "bash-output", "bash-kill"] as const;
const CHANGE = ["write", "edit"] as const;

type Row = Omit<AgentType, "name" | "model" | "file">;

const ROWS = {
  explore: {
    description: "finds things out about the code, fast; changes nothing",
    role: "smol",
    tools: LOOK,
    worktree: false,
    readOnly: true,
    timeoutMs: 10 * MINUTE,
    maxTurns: 40,
    instruction:
      "Find out what the task asks, as quickly as you can: search first, read only what matters. Answer with facts, each with its file and line. Say what you did not look at.",
  },
  plan: {
    description: "analyses a problem and proposes a plan; changes nothing",
    role: "plan",
    tools: LOOK,
    worktree: false,
    readOnly: true,
    timeoutMs: 20 * MINUTE,
    maxTurns: 60,
    instruction:
      "Understand the code that the task touches, then plan: the steps in order, the files of each, how each is checked, and what is uncertain. Name alternatives only where the choice matters.",
  },
  designer: {
    description: "designs and writes new code on a worktree of its own",
    role: "slow",
    tools: [...LOOK, ...CHANGE, ...COMMANDS],
    worktree: true,
    readOnly: false,
    timeoutMs: 60 * MINUTE,
    maxTurns: 150,
    instruction:
      "Design the code before you write it: names, seams, data, errors. Fit the project's style. Build and test what you wrote. Report the design in some sentences, then the changed files.",
  },
  reviewer: {
    description: "reviews code or a change; changes nothing",
    role: "slow",
    tools: [...LOOK, ...COMMANDS],
    worktree: false,
    readOnly: true,
    timeoutMs: 45 * MINUTE,
    maxTurns: 100,
    instruction:
      "Review what the task names. Look for what is wrong, not for what could be said: each finding with file, line, why it fails, and how to see it fail. Order by harm. Say plainly when there is nothing, and what you could not check. You cannot change files.",
  },
  task: {
    description: "carries out a whole coding task on a worktree of its own",
    role: null,
    tools: null,
    worktree: true,
    readOnly: false,
    timeoutMs: 60 * MINUTE,
    maxTurns: 200,
    instruction:
      "Carry out the task in small slices, each built and tested before the next. Claim nothing that you did not see. Your last message is the handoff: what you changed (the files), what you ran and what came of it, what is left.",
  },
  quick_task: {
    description: "makes one small change right in the project",
    role: "smol",
    tools: [...LOOK, ...CHANGE, ...COMMANDS],
    worktree: false,
    readOnly: false,
    timeoutMs: 15 * MINUTE,
    maxTurns: 40,
    instruction:
      "Make the one small change that the task asks for, check it, and say in a few lines what you changed. Stop and say so if it turns out not to be small.",
  },
} as const satisfies Record<string, Row>;

/** The types that are always there. Files may replace them by name. */
export const BUILT_IN_TYPES: readonly AgentType[] = Object.entries(ROWS).map(([name, row]) => ({
  name,
  model: null,
  file: null,
  ...row,
}));

/** What every subagent is told, before what its type says. */
export const SUBAGENT_INSTRUCTION =
  "You are a subagent: another agent gave you one task. Nobody can answer questions, so decide yourself and say what you assumed. Your last message is all that the other agent gets: make it complete, and no longer than needed.";
