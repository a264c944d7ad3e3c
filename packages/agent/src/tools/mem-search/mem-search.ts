import type { XStatic } from "typebox/schema";
import type { MemoryDoor } from "../../contract/memory.ts";
import type { ToolDefinition } from "../../contract/tool.ts";
import { indexLine, lookInto } from "../shared/memory/memory-outcome.ts";
import { failed } from "../shared/outcome.ts";
import { memSearchPrompt } from "./mem-search.prompt.ts";

type Input = XStatic<typeof memSearchPrompt.input>;

const DEFAULT_LIMIT = 10;

/** `mem-search`: an index of the memories that answer a question. */
export function memSearchTool(memory: MemoryDoor): ToolDefinition<Input> {
  return {
    ...memSearchPrompt,
    kind: "inspect",
    aliases: { q: "query", kind: "type" },
    run({ query, limit = DEFAULT_LIMIT, type, provider }, { signal }) {
      if (query.trim() === "")
        return Promise.resolve(failed("query is empty\nGive the words of what you look for."));
      const only = {
        ...(type === undefined ? {} : { type }),
        ...(provider === undefined ? {} : { provider }),
      };
      return lookInto(() => memory.search(query, { limit, ...only, signal }), {
        none: "Nothing is remembered about this. That proves nothing: it may never have been said in a session.",
        body: (memories) => ({
          head: `${memories.length === 1 ? "1 memory" : `${memories.length} memories, best first`}; mem-get with an id gives the whole text.`,
          lines: memories.map(indexLine),
        }),
      });
    },
  };
}
