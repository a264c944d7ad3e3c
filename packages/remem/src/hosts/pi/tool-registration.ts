import { bounded } from "../shared/host-guard.ts";
import {
  LOOKING_TOOLS,
  type MemoryTool,
  runMemoryTool,
  type ToolCall,
} from "../shared/tools/memory-tools.ts";
import type { PiApi, PiTool } from "./host-types.ts";

/** A search of a store that hangs is given up; Pi itself has no limit for tools. */
const TOOL_MS = 10_000;

/** Names of tools that are memory's own: what they say is never remembered. */
export type ToolNames = ReadonlySet<string>;

/**
 * Registers the tools that look into memory. Two extensions that register one name while they are loaded end Pi, whichever comes first, so
 * this is done after all of them have started, under names that are free then: `memory_search`, else `remem_search`.
 */
export function registerTools(pi: PiApi, open: () => Omit<ToolCall, "signal"> | undefined): ToolNames {
  const taken = new Set(pi.getAllTools().map(({ name }) => name));
  const names = new Set<string>();
  for (const tool of LOOKING_TOOLS) {
    const name = freeName(tool.name, taken);
    if (name === undefined) continue;
    pi.registerTool(piTool(tool, name, open));
    names.add(name);
  }
  return names;
}

function freeName(wanted: string, taken: ReadonlySet<string>): string | undefined {
  return [wanted, wanted.replace("memory_", "remem_")].find((name) => !taken.has(name));
}

function piTool(tool: MemoryTool, name: string, open: () => Omit<ToolCall, "signal"> | undefined): PiTool {
  const { description, schema } = tool;
  return {
    name,
    label: name.replaceAll("_", " "),
    description,
    promptSnippet: description,
    parameters: schema,
    annotations: { readOnlyHint: true },
    async execute(_, args, signal) {
      const opened = open();
      if (opened === undefined) return said("Memory is not available in this session. Go on without it.");
      const ran = await bounded(TOOL_MS, signal, (until) =>
        runMemoryTool(tool, args, { memory: opened.memory, session: opened.session, signal: until }),
      );
      // Pi marks a call that the user stopped by what is thrown.
      signal?.throwIfAborted();
      return said(
        ran.outcome === "ok"
          ? ran.value
          : "Memory did not answer in time. That says nothing about what is remembered.",
      );
    },
  };
}

function said(text: string) {
  return { content: [{ type: "text" as const, text }], details: undefined };
}
