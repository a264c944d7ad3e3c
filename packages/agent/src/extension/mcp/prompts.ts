import type { TextGuard } from "../../contract/audit.ts";
import { errorMessage, PiError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { ArgumentCompletion, SlashCommandInfo } from "../../contract/slash-command.ts";
import { ANY_RESULT } from "./server/list-pages.ts";
import type { McpServer } from "./server/mcp-server.ts";
import { cleanText } from "./tools/clean-text.ts";
import type { ListedPrompt } from "./tools/listed-tool.ts";
import { resourceText } from "./tools/tool-result.ts";

const MOST_SUMMARY = 200;
const MOST_TEXT = 100_000;

/** The prompts of servers as slash commands: `/server:prompt arguments`. */
export class McpPrompts {
  readonly #servers: () => readonly McpServer[];
  readonly #guard: TextGuard;

  constructor(servers: () => readonly McpServer[], guard: TextGuard) {
    this.#servers = servers;
    this.#guard = guard;
  }

  commands(): SlashCommandInfo[] {
    return this.#all().map(({ name, prompt, server }) => ({
      name,
      aliases: [],
      summary: `${cleanText(this.#guard, `MCP prompt ${name}`, prompt.description ?? "", MOST_SUMMARY).replace(/\s+/g, " ") || "a prompt"} (MCP server ${server.name})`,
      argumentHint: prompt.arguments
        .map((argument) => (argument.required ? argument.name : `[${argument.name}]`))
        .join(" "),
      group: "project",
      during: "any",
      completes: prompt.arguments.length > 0,
    }));
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined;
  }

  /** Whether a name is that of a prompt, once a server that it names has given its lists or failed. */
  async known(name: string): Promise<boolean> {
    if (this.has(name)) return true;
    const [lender] = name.toLowerCase().split(":");
    const named = this.#servers().filter((server) => word(server.name).toLowerCase() === lender);
    if (!name.includes(":") || named.length === 0) return false;
    await Promise.all(named.map((server) => server.start()));
    return true;
  }

  /** The text that a prompt stands for. Rejects with a PiError for missing arguments and for what the server refuses. */
  async text(name: string, argument: string, signal: AbortSignal): Promise<string> {
    const found = this.#find(name);
    if (found === undefined)
      throw new PiError({
        code: "mcp_prompt",
        message: `there is no prompt /${name}`,
        hint: this.#hint(name),
      });
    const { server, prompt } = found;
    const values = argumentsOf(argument, prompt);
    const missing = prompt.arguments.filter((each) => each.required && values[each.name] === undefined);
    if (missing.length > 0)
      throw new PiError({
        code: "mcp_prompt",
        message: `/${name} needs ${missing.map((each) => each.name).join(", ")}`,
        hint: `/${name} ${prompt.arguments.map((each) => `${each.name}=…`).join(" ")}`,
      });
    const params = { name: prompt.name, arguments: values };
    const result = await server
      .use(({ client }) => client.request({ method: "prompts/get", params }, ANY_RESULT, { signal }), signal)
      .catch((thrown: unknown) => {
        throw new PiError({
          code: "mcp_prompt",
          message: `the MCP server "${server.name}" did not give the prompt "${prompt.name}": ${errorMessage(thrown)}`,
          hint: `its log: ${server.log.path}`,
          cause: thrown,
        });
      });
    return cleanText(this.#guard, `MCP prompt ${name}`, promptText(result), MOST_TEXT);
  }

  /** Values for the argument that is being typed; empty when the server has none. Never rejects. */
  async complete(name: string, typed: string, signal: AbortSignal): Promise<ArgumentCompletion[]> {
    const found = this.#find(name);
    if (found === undefined || found.server.catalog?.completions !== true) return [];
    const { server, prompt } = found;
    const start = typed.lastIndexOf(" ") + 1;
    const word = typed.slice(start);
    const [, key, rest] = /^([\w-]+)=(.*)$/.exec(word) ?? [];
    const before = argumentsOf(typed.slice(0, start), prompt);
    const open = prompt.arguments.find((each) =>
      key === undefined ? before[each.name] === undefined : each.name === key,
    );
    if (open === undefined) return [];
    const params = {
      ref: { type: "ref/prompt" as const, name: prompt.name },
      argument: { name: open.name, value: rest ?? word },
      context: { arguments: before },
    };
    try {
      const { completion } = await server.use(({ client }) => client.complete(params, { signal }), signal);
      const prefix = typed.slice(0, start) + (key === undefined ? "" : `${key}=`);
      return completion.values.slice(0, 50).map((value) => ({
        value: prefix + (/\s/.test(value) ? JSON.stringify(value) : value),
        label: value,
      }));
    } catch {
      // the server is down, or has no values for it
      return [];
    }
  }

  /** What the named server has instead, or why it has nothing. */
  #hint(name: string): string {
    const [lender = ""] = name.split(":");
    const names = this.#all().flatMap((each) =>
      each.name.toLowerCase().startsWith(`${lender.toLowerCase()}:`) ? [`/${each.name}`] : [],
    );
    const down = this.#servers().find((server) => word(server.name) === lender && server.problem !== null);
    if (names.length > 0) return `The MCP server has: ${names.join(", ")}`;
    return down === undefined ? "The MCP server has no prompts." : `The MCP server: ${down.problem}`;
  }

  #find(name: string) {
    const wanted = name.toLowerCase();
    return this.#all().find((each) => each.name.toLowerCase() === wanted);
  }

  #all(): { name: string; server: McpServer; prompt: ListedPrompt }[] {
    return this.#servers()
      .flatMap((server) =>
        (server.catalog?.prompts ?? []).map((prompt) => ({
          name: `${word(server.name)}:${word(prompt.name)}`,
          server,
          prompt,
        })),
      )
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

/** A name without spaces: it is typed as one word. */
function word(name: string): string {
  return name.trim().replace(/[^\w.-]+/g, "-");
}

/** `name=value` by name, all else in the order of the prompt's arguments; the last one takes what is left. Quotes hold spaces together. */
function argumentsOf(typed: string, prompt: ListedPrompt): Record<string, string> {
  const values: Record<string, string> = {};
  const names = prompt.arguments.map(({ name }) => name);
  const loose: string[] = [];
  for (const [whole, quoted, single] of typed.matchAll(
    /[\w-]+=(?:"[^"]*"|'[^']*'|\S*)|"([^"]*)"|'([^']*)'|\S+/g,
  )) {
    const [, name, value] = /^([\w-]+)=([\s\S]*)$/.exec(whole) ?? [];
    if (name !== undefined && names.includes(name))
      values[name] = value!.replace(/^(["'])([\s\S]*)\1$/, "$2");
    else loose.push(quoted ?? single ?? whole);
  }
  const open = names.filter((name) => values[name] === undefined);
  for (const [index, name] of open.entries()) {
    const value = index === open.length - 1 ? loose.slice(index).join(" ") : loose[index];
    if (value !== undefined && value !== "") values[name] = value;
  }
  return values;
}

function promptText(result: JsonObject): string {
  const messages = Array.isArray(result["messages"]) ? result["messages"].filter(isJsonObject) : [];
  const several = new Set(messages.map(({ role }) => role)).size > 1;
  return messages
    .map(({ role, content }) => {
      const text = (Array.isArray(content) ? content : [content])
        .filter(isJsonObject)
        .map(blockText)
        .join("\n");
      return several ? `${role === "assistant" ? "Assistant" : "User"}: ${text}` : text;
    })
    .join("\n\n");
}

function blockText(block: JsonObject): string {
  if (typeof block["text"] === "string") return block["text"];
  if (isJsonObject(block["resource"])) return resourceText(block["resource"], []);
  return `[${String(block["type"])}]`;
}
