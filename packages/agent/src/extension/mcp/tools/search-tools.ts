import type { JsonObject } from "../../../contract/json.ts";
import type { AnyTool, ToolDefinition } from "../../../contract/tool.ts";
import type { McpTool } from "./mcp-tool.ts";
import { outcome } from "./outcome.ts";
import { rankTools } from "./rank-tools.ts";

const DEFAULT_LIMIT = 5;
const MOST = 20;
const MOST_TEXT = 24_000;

/** `mcp-search` and `mcp-call`, over the tools that `all` gives. `servers` are named to the model, so that it knows what to look for. */
export function searchTools(all: () => readonly McpTool[], servers: readonly string[]): AnyTool[] {
  const names = [...servers].sort().join(", ");
  return [search(all, names), call(all)];
}

function search(
  all: () => readonly McpTool[],
  servers: string,
): ToolDefinition<{ query: string; limit?: number }> {
  return {
    name: "mcp-search",
    kind: "inspect",
    description: `Find tools of the MCP servers (${servers}) by words about what they do. Gives names, descriptions and input schemas for mcp-call.`,
    input: {
      type: "object",
      properties: {
        query: { type: "string" },
        limit: { type: "integer", description: `default ${DEFAULT_LIMIT}, max ${MOST}` },
      },
      required: ["query"],
    },
    aliases: { q: "query", max_results: "limit" },
    async run({ query, limit = DEFAULT_LIMIT }) {
      const tools = all();
      const ranked = rankTools(tools, query);
      if (ranked.length === 0)
        return outcome(
          "empty",
          `None of the ${tools.length} tools of MCP servers (${servers}) has a word of ${JSON.stringify(query)} in its name, description or parameters. Try other words.`,
          { searched: tools.length },
        );
      const shown = ranked.slice(0, Math.min(Math.max(1, limit), MOST));
      const texts: string[] = [];
      let length = 0;
      for (const tool of shown) {
        const text = described(tool);
        if (texts.length > 0 && length + text.length > MOST_TEXT) break;
        texts.push(text);
        length += text.length;
      }
      const left = ranked.length - texts.length;
      const more = left === 0 ? "" : `\n\n[${left} more fit; use more exact words or a larger limit]`;
      return outcome("found", texts.join("\n\n") + more, {
        tools: shown.slice(0, texts.length).map(({ name }) => name),
        searched: tools.length,
      });
    },
  };
}

function described({ name, description, input }: McpTool): string {
  return `${name}\n${description}\ninput: ${JSON.stringify(input)}`;
}

function call(all: () => readonly McpTool[]): ToolDefinition<{ tool: string; arguments?: JsonObject }> {
  return {
    name: "mcp-call",
    kind: "network",
    description: "Call a tool that mcp-search found.",
    input: {
      type: "object",
      properties: {
        tool: { type: "string", description: "its name" },
        arguments: { type: "object", description: "by its input schema", additionalProperties: true },
      },
      required: ["tool"],
    },
    aliases: { name: "tool", input: "arguments", args: "arguments", params: "arguments" },
    standsFor(input) {
      const tools = all();
      const wanted = input.tool.trim();
      const tool = tools.find(({ name }) => name === wanted) ?? onlyOne(tools, wanted);
      if (tool !== undefined) return { tool, input: input.arguments ?? {} };
      const near = rankTools(tools, wanted).slice(0, 3);
      const hint = near.length === 0 ? "" : ` Near names: ${near.map(({ name }) => name).join(", ")}.`;
      const text = `There is no tool ${JSON.stringify(wanted.slice(0, 100))} among the MCP servers' tools.${hint} Find it with mcp-search.`;
      return { outcome: outcome("not_looked", text, { code: "unknown_tool" }, true) };
    },
    run: () => Promise.reject(new Error("mcp-call stands for the tool that it names")),
  };
}

/** The tool that a server itself calls so, where only one does. */
function onlyOne(tools: readonly McpTool[], wanted: string): McpTool | undefined {
  const named = tools.filter(({ name }) => name.endsWith(`__${wanted}`));
  return named.length === 1 ? named[0] : undefined;
}
