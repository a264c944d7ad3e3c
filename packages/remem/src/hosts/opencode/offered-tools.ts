import { CORRECTION_TOOLS, LOOKING_TOOLS, type MemoryTool } from "../shared/tools/memory-tools.ts";

/** The tools that a model gets here. */
export const OFFERED_TOOLS: readonly MemoryTool[] = [...LOOKING_TOOLS, ...CORRECTION_TOOLS];

const NAMES: ReadonlySet<string> = new Set(OFFERED_TOOLS.map(({ name }) => name));

/** Whether a tool's result came out of memory. */
export function isOfferedTool(name: string | undefined): boolean {
  return name !== undefined && NAMES.has(name);
}

/** What stands for such a result where a summary is written: of a summary of it, the frame would be gone, and later the memory. */
export const LEFT_OUT = "[what memory answered is not part of this conversation]";
