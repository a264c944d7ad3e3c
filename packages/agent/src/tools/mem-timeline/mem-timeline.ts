import type { XStatic } from "typebox/schema";
import type { MemoryDoor } from "../../contract/memory.ts";
import type { ToolDefinition } from "../../contract/tool.ts";
import { indexLine, lookInto } from "../shared/memory/memory-outcome.ts";
import { memTimelinePrompt } from "./mem-timeline.prompt.ts";

type Input = XStatic<typeof memTimelinePrompt.input>;

const DEFAULT_REACH = 5;

/** `mem-timeline`: what is around a memory in its session. */
export function memTimelineTool(memory: MemoryDoor): ToolDefinition<Input> {
  return {
    ...memTimelinePrompt,
    kind: "inspect",
    aliases: { id: "anchor", depth_before: "before", depth_after: "after" },
    run({ anchor, before = DEFAULT_REACH, after = DEFAULT_REACH }, { signal }) {
      return lookInto(() => memory.timeline(anchor, { before, after, signal }), {
        none: `There is no memory with the id ${JSON.stringify(anchor.slice(0, 64))} here: it was erased, or it is another project's. mem-search gives ids.`,
        body: (memories) => ({
          head: `${memories.length === 1 ? "1 memory" : `${memories.length} memories, oldest first`}; > marks the one asked for.`,
          lines: memories.map((one) => `${one.id === anchor ? ">" : " "} ${indexLine(one)}`),
        }),
      });
    },
  };
}
