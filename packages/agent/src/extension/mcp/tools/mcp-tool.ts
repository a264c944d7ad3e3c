import type { TextGuard } from "../../../contract/audit.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { ToolContext, ToolDefinition, ToolOutcome } from "../../../contract/tool.ts";
import { ANY_RESULT } from "../server/list-pages.ts";
import type { McpServer } from "../server/mcp-server.ts";
import { callServer } from "./call-tool.ts";
import type { ListedTool, ToolOffer } from "./listed-tool.ts";
import { toolResult } from "./tool-result.ts";

/** A tool of a server, ready for a model. */
export interface McpTool extends ToolDefinition {
  readonly server: string;
  /** As in its {@link ToolOffer}. */
  readonly tokens: number;
  readonly spelling: string;
}

/** The tool that a server lists, as it is offered. */
export function mcpTool(server: McpServer, listed: ListedTool, offer: ToolOffer, guard: TextGuard): McpTool {
  const { name } = offer;
  const source = `MCP tool ${name}`;
  return {
    ...offer,
    server: server.name,
    run: (input, context) => run(server, listed, { name, source, guard }, input, context),
  };
}

async function run(
  server: McpServer,
  listed: ListedTool,
  { name, source, guard }: { name: string; source: string; guard: TextGuard },
  input: JsonObject,
  context: ToolContext,
): Promise<ToolOutcome> {
  const params = { name: listed.name, arguments: input };
  const safe = (text: string) => guard(source, text);
  const answer = await callServer(server, context, safe, async ({ client }, options) =>
    client.getProtocolEra() === "modern"
      ? ((await client.callTool(params, { ...options, toolDefinition: definitionOf(listed) })) as JsonObject)
      : await client.request({ method: "tools/call", params }, ANY_RESULT, options),
  );
  if ("failure" in answer) return answer.failure;
  return toolResult(answer.result, {
    tool: name,
    details: { server: server.name, tool: listed.name },
    spill: context.spill,
    guard: safe,
  });
}

/** Tells the SDK which arguments go into headers; the server checks its own results. */
function definitionOf({ name, inputSchema }: ListedTool) {
  return { name, inputSchema: inputSchema as { type: "object" } };
}
