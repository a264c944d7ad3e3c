import type { TextGuard } from "../../../contract/audit.ts";
import { errorMessage } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import type { ImagePart } from "../../../contract/messages.ts";
import type { ToolContext, ToolDefinition, ToolOutcome } from "../../../contract/tool.ts";
import { ANY_RESULT, listPages } from "../server/list-pages.ts";
import type { McpServer } from "../server/mcp-server.ts";
import { callServer, down } from "./call-tool.ts";
import { outcome } from "./outcome.ts";
import { resourceText, toolResult } from "./tool-result.ts";

interface Input {
  server?: string;
  uri?: string;
}

/** Without `uri` the resources of one server or all, with it the content of one. `servers` gives those that are not off. */
export function resourcesTool(servers: () => readonly McpServer[], guard: TextGuard): ToolDefinition<Input> {
  const having = () => servers().filter(({ catalog }) => catalog?.resources === true);
  return {
    name: "mcp-resources",
    kind: "network",
    description:
      "List the resources (files, records, documents) that MCP servers offer, or read one by its uri.",
    input: {
      type: "object",
      properties: { server: { type: "string" }, uri: { type: "string" } },
    },
    async run({ server, uri }, context) {
      const known = having();
      const chosen = server === undefined ? known : known.filter(({ name }) => name === server);
      const names = known.map(({ name }) => name).join(", ") || "none";
      if (chosen.length === 0)
        return outcome(
          "not_looked",
          `${server === undefined ? "No MCP server has" : `There is no MCP server ${JSON.stringify(server)} with`} resources. With resources: ${names}.`,
          {},
          true,
        );
      if (uri === undefined) return await list(chosen, context, guard);
      if (chosen.length === 1) return await read(chosen[0]!, uri, context, guard);
      return await readAnywhere(chosen, uri, context, guard);
    },
  };
}

async function list(
  servers: readonly McpServer[],
  context: ToolContext,
  guard: TextGuard,
): Promise<ToolOutcome> {
  const safe = (each: string) => guard("MCP resources", each);
  const parts = await Promise.all(servers.map((server) => listOne(server, context, safe)));
  const text = parts.flatMap(({ lines }) => lines).join("\n");
  const failures = parts.flatMap(({ failure }) => (failure === null ? [] : [failure]));
  if (text === "" && failures.length > 0) return failures[0]!;
  const missing = failures.map((each) => `\n${each.text}`).join("");
  if (text === "")
    return outcome("empty", `${servers.map(({ name }) => name).join(", ")}: there are no resources now.`, {});
  const spill = context.spill;
  const whole = { content: [{ type: "text", text: text + missing }] };
  return toolResult(whole, {
    tool: "mcp-resources",
    details: { count: parts.reduce((sum, { lines }) => sum + lines.length, 0) },
    spill,
    guard: safe,
  });
}

async function listOne(
  server: McpServer,
  context: ToolContext,
  guard: (text: string) => string,
): Promise<{ lines: string[]; failure: ToolOutcome | null }> {
  const answer = await callServer(server, context, guard, async ({ client }, options) => {
    const resources = await listPages(client, "resources/list", "resources", options);
    // Not every server with resources has templates of them.
    const templates = await listPages(client, "resources/templates/list", "resourceTemplates", options).catch(
      () => ({ entries: [] }),
    );
    return { entries: [...resources.entries, ...templates.entries].filter(isJsonObject) };
  });
  if ("failure" in answer) return { lines: [], failure: answer.failure };
  const entries = answer.result["entries"] as JsonObject[];
  return { lines: entries.map((entry) => line(server.name, entry)), failure: null };
}

function line(server: string, { uri, uriTemplate, name, mimeType, description }: JsonObject): string {
  const about = [name, mimeType, description].filter((part) => typeof part === "string" && part !== "");
  const what = String(uri ?? uriTemplate ?? "without an address");
  return `${server}: ${what}${about.length === 0 ? "" : ` (${about.join("; ").replace(/\s+/g, " ").slice(0, 300)})`}`;
}

async function read(
  server: McpServer,
  uri: string,
  context: ToolContext,
  guard: TextGuard,
): Promise<ToolOutcome> {
  const safe = (each: string) => guard(`MCP resource ${uri}`, each);
  const answer = await callServer(server, context, safe, ({ client }, options) =>
    client.request({ method: "resources/read", params: { uri } }, ANY_RESULT, options),
  );
  if ("failure" in answer) return answer.failure;
  const contents = answer.result["contents"];
  const resources = Array.isArray(contents) ? contents.filter(isJsonObject) : [];
  const images: ImagePart[] = [];
  const text = resources.map((resource) => resourceText(resource, images)).join("\n");
  const result = toolResult(
    { content: text === "" ? [] : [{ type: "text", text }] },
    {
      tool: "mcp-resources",
      details: { server: server.name, uri },
      spill: context.spill,
      guard: safe,
    },
  );
  return images.length === 0 ? result : { ...result, images };
}

/** The first of several servers that knows the address. */
async function readAnywhere(
  servers: readonly McpServer[],
  uri: string,
  context: ToolContext,
  guard: TextGuard,
): Promise<ToolOutcome> {
  const failures: string[] = [];
  for (const server of servers) {
    const result = await read(server, uri, context, guard).catch((thrown: unknown) =>
      down(server, errorMessage(thrown)),
    );
    if (!result.isError && result.outcome !== "empty") return result;
    failures.push(`${server.name}: ${result.text}`);
  }
  return outcome("failed", `No MCP server could give ${uri}.\n${failures.join("\n")}`, { uri });
}
