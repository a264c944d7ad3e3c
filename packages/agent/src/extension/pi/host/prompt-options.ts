import { guidelinesOf, snippetOf } from "./extension-tool.ts";
import type { HostState } from "./host-state.ts";
import { activeTools, allTools } from "./listed-tools.ts";

/** What `before_agent_start` may change of the system text, and what `getSystemPromptOptions` shows. */
export function systemPromptOptions(state: HostState) {
  return {
    ...toolsForPrompt(state),
    promptGuidelines: [] as string[],
    appendSystemPrompt: "",
    sections: {} as Record<string, unknown>,
    forceSystemPrompt: undefined as string | undefined,
    cwd: state.ports?.cwd ?? "",
    contextFiles: [],
    skills: [],
  };
}

/** What the system text of Pi would say of tools: those that are told of, and each one's line and rules by name. */
function toolsForPrompt(state: HostState): {
  selectedTools: string[];
  hiddenTools: string[];
  toolSnippets: Record<string, string>;
  toolGuidelines: Record<string, string[]>;
} {
  const { ports, extensions } = state;
  const selected = ports === null ? [] : activeTools(state, ports);
  const all = ports === null ? [] : allTools(state, ports).map(({ name }) => name);
  const own = extensions.flatMap(({ tools }) => [...tools.values()]);
  return {
    selectedTools: selected,
    hiddenTools: all.filter((name) => !selected.includes(name)),
    toolSnippets: Object.fromEntries(
      own.flatMap((tool) => {
        const snippet = snippetOf(tool);
        return snippet === undefined ? [] : [[tool.name, snippet]];
      }),
    ),
    toolGuidelines: Object.fromEntries(
      own.flatMap((tool) => {
        const rules = guidelinesOf(tool);
        return rules.length === 0 ? [] : [[tool.name, rules]];
      }),
    ),
  };
}
