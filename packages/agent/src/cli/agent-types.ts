import { existsSync } from "node:fs";
import { join } from "node:path";
import { projectAgentFolders } from "../config/project.ts";
import type { AgentProblem, AgentType } from "../contract/subagents.ts";
import type { HomeFolders } from "../platform/home.ts";
import { BUILT_IN_TYPES } from "../subagent/built-in-types.ts";
import type { AgentFolder } from "../subagent/load-agents.ts";
import type { Settings } from "./run-setup.ts";

/** The agents that there are: built in, in the user's files, and, when it is trusted, in the project's. Loads no parser where there is no folder. */
export async function agentTypes({
  settings,
  home,
}: {
  settings: Settings;
  home: HomeFolders;
}): Promise<{ types: readonly AgentType[]; problems: readonly AgentProblem[] }> {
  const users: AgentFolder[] = [
    { path: join(home.user, ".claude", "agents"), within: null },
    { path: join(home.root, "agents"), within: null },
  ];
  const projects = settings.trusted
    ? projectAgentFolders(settings.project).map((path) => ({ path, within: settings.project.root }))
    : [];
  const folders = [...users, ...projects].filter(({ path }) => existsSync(path));
  if (folders.length === 0) return { types: BUILT_IN_TYPES, problems: [] };
  const [{ loadAgents }, { readMarkdown }, { textInspector }] = await Promise.all([
    import("../subagent/load-agents.ts"),
    import("../extension/skills/skill-file.ts"),
    import("./text-inspector.ts"),
  ]);
  const inspect = textInspector();
  return loadAgents({ folders, read: (file, within) => readMarkdown(file, within, inspect) });
}
