// docs/tools.md as text: the tools that a model is given, from their own definitions and the limits in their sources.
import type { LanguageServers } from "../packages/agent/src/contract/language-servers.ts";
import type { MemoryDoor } from "../packages/agent/src/contract/memory.ts";
import type { Subagents } from "../packages/agent/src/contract/subagents.ts";
import type { AnyTool } from "../packages/agent/src/contract/tool.ts";
import { systemClock } from "../packages/agent/src/platform/clock.ts";
import { BUILT_IN_TYPES } from "../packages/agent/src/subagent/built-in-types.ts";
import { agentTool } from "../packages/agent/src/tools/agent/agent.ts";
import { bashTool } from "../packages/agent/src/tools/bash/bash.ts";
import { bashKillTool } from "../packages/agent/src/tools/bash-kill/bash-kill.ts";
import { bashOutputTool } from "../packages/agent/src/tools/bash-output/bash-output.ts";
import { editTool } from "../packages/agent/src/tools/edit/edit.ts";
import { createFindTool } from "../packages/agent/src/tools/find/find.ts";
import { gitFileDiffTool } from "../packages/agent/src/tools/git-file-diff/git-file-diff.ts";
import { gitHunkTool } from "../packages/agent/src/tools/git-hunk/git-hunk.ts";
import { gitOverviewTool } from "../packages/agent/src/tools/git-overview/git-overview.ts";
import { createGrepTool } from "../packages/agent/src/tools/grep/grep.ts";
import { lsTool } from "../packages/agent/src/tools/ls/ls.ts";
import { lspDefinitionTool } from "../packages/agent/src/tools/lsp-definition/lsp-definition.ts";
import { lspDiagnosticsTool } from "../packages/agent/src/tools/lsp-diagnostics/lsp-diagnostics.ts";
import { lspHoverTool } from "../packages/agent/src/tools/lsp-hover/lsp-hover.ts";
import { lspReferencesTool } from "../packages/agent/src/tools/lsp-references/lsp-references.ts";
import { lspSymbolsTool } from "../packages/agent/src/tools/lsp-symbols/lsp-symbols.ts";
import { memGetTool } from "../packages/agent/src/tools/mem-get/mem-get.ts";
import { memSearchTool } from "../packages/agent/src/tools/mem-search/mem-search.ts";
import { memTimelineTool } from "../packages/agent/src/tools/mem-timeline/mem-timeline.ts";
import { readTool } from "../packages/agent/src/tools/read/read.ts";
import { createBackgroundCommands } from "../packages/agent/src/tools/shared/commands/background-commands.ts";
import { treeTool } from "../packages/agent/src/tools/tree/tree.ts";
import { writeTool } from "../packages/agent/src/tools/write/write.ts";
import { markdownTable } from "./markdown-table.ts";
import { toolNotes } from "./tool-notes.ts";

/** Tools that belong together, in the order in which a model is given them. */
export interface ToolGroup {
  title: string;
  tools: readonly AnyTool[];
}

/** Every built-in tool. The doors behind them are not there: nothing of them is run. */
export function toolGroups(): readonly ToolGroup[] {
  const background = createBackgroundCommands({ clock: systemClock });
  const servers = {} as LanguageServers;
  const memory = {} as MemoryDoor;
  const subagents = { types: () => BUILT_IN_TYPES } as Subagents;
  const ripgrep = () => Promise.resolve(null);
  return [
    { title: "Files", tools: [readTool, writeTool, editTool] },
    {
      title: "Commands",
      tools: [bashTool({ background }), bashOutputTool({ background }), bashKillTool({ background })],
    },
    { title: "Searching", tools: [createGrepTool(ripgrep), createFindTool(ripgrep), lsTool, treeTool] },
    { title: "Git", tools: [gitOverviewTool, gitFileDiffTool, gitHunkTool] },
    {
      title: "Language servers",
      tools: [
        lspDiagnosticsTool(servers),
        lspSymbolsTool(servers),
        lspDefinitionTool(servers),
        lspReferencesTool(servers),
        lspHoverTool(servers),
      ],
    },
    { title: "Memory", tools: [memSearchTool(memory), memTimelineTool(memory), memGetTool(memory)] },
    { title: "Subagents", tools: [agentTool(subagents)] },
  ];
}

/** The whole page, as `write-tools-page.ts` writes it. */
export function toolsPage(): string {
  const groups = toolGroups();
  return `# Tools

<!-- Written by structure/write-tools-page.ts from the tools themselves. -->

What a model can do in a project. \`--tools\`, \`--exclude-tools\` and \`--no-tools\` choose among them; \`permissions\` in the configuration ask about calls or refuse them, by the names below (\`"ask": ["bash(git push:*)", "edit(infra/**)"]\`).

${markdownTable(
  ["tool", "kind", "for"],
  groups.flatMap(({ tools }) =>
    tools.map(({ name, kind, description }) => [
      `[\`${name}\`](#${name})`,
      kind,
      plain(firstSentence(description)),
    ]),
  ),
)}

The kind says what a tool does to the world: \`inspect\` only looks, \`edit\` changes files of the project, \`run\` starts something, \`network\` reaches out. Plan mode, subagents and editors decide by it.

## What every answer says

Every result is one of four, and they never look alike: **found**; **empty** (it was looked at, and there is nothing); **not looked** (and why); **failed** (and why). \`--mode json\` has it as \`details.outcome\`. A command that ends with another code than 0, and a search without a match, are no failures.

What is cut says how much of what is shown and how to get the rest: a page of a file with \`offset\`, a long output in a file of the session's folder.

Inputs are checked before a tool runs. Other names that models use for a property are taken (\`path\` for \`file_path\`), and so is a number in quotes; unknown properties are ignored; anything else is refused with the expected schema, and nothing is done.

Calls of one answer run side by side, except that calls on one file wait for each other and a command waits for all before it.

${groups.map(({ title, tools }) => `## ${title}\n\n${tools.map(section).join("\n\n")}`).join("\n\n")}

## Of MCP servers

Tools of MCP servers are called \`server__tool\`. When their definitions are too long for each request, \`mcp-search\` finds them and \`mcp-call\` calls them; \`mcp-resources\` lists and reads resources: [mcp.md](mcp.md). Extensions may add tools or take the place of built-in ones: [extensions.md](extensions.md).
`;
}

function section(tool: AnyTool): string {
  const inputs = inputRows(tool);
  return [
    `### ${tool.name}`,
    `> ${plain(tool.description)}`,
    ...(inputs.length === 0 ? ["It takes nothing."] : [markdownTable(["input", "type", ""], inputs)]),
    ...toolNotes(tool.name),
  ].join("\n\n");
}

function inputRows({ input }: AnyTool): string[][] {
  return Object.entries(input.properties ?? {}).map(([name, schema]) => [
    `\`${name}\``,
    typeWords(schema),
    [input.required?.includes(name) ? "required" : "", plain(schema.description ?? "")]
      .filter((part) => part !== "")
      .join("; "),
  ]);
}

function typeWords(schema: NonNullable<AnyTool["input"]["properties"]>[string]): string {
  if (schema.type !== "array") return String(schema.type);
  const parts = Object.keys(schema.items?.properties ?? {});
  return parts.length === 0 ? `list of ${schema.items?.type}s` : `list of {${parts.join(", ")}}`;
}

function firstSentence(text: string): string {
  return /^.*?[.:;](?= |$)/.exec(text)![0].replace(/[:;]$/, ".");
}

/** Stars of globs are no emphasis. */
function plain(text: string): string {
  return text.replaceAll("*", "\\*");
}
