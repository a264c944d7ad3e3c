import { join } from "node:path";
import type { FetchLike } from "@modelcontextprotocol/client";
import type { TextGuard } from "../../contract/audit.ts";
import type { ProcessDoor } from "../../contract/process.ts";
import type { Clock } from "../../contract/services.ts";
import type { Notice } from "../../contract/settings.ts";
import type { Dialogs } from "../../contract/slash-command.ts";
import type { AnyTool } from "../../contract/tool.ts";
import { createRedactor, type Redactor } from "../../platform/redact.ts";
import { type LoginPorts, McpAuth } from "./oauth/mcp-auth.ts";
import { TokenStore } from "./oauth/token-store.ts";
import { McpPrompts } from "./prompts.ts";
import { McpServer } from "./server/mcp-server.ts";
import { serverLog } from "./server/server-log.ts";
import { type ToolListCache, toolListCache } from "./server/tool-list-cache.ts";
import { fileName, type McpServerConfig } from "./server-config.ts";
import type { ListedTool, NoOffer, ToolOffer } from "./tools/listed-tool.ts";
import { type McpTool, mcpTool } from "./tools/mcp-tool.ts";
import { resourcesTool } from "./tools/resources-tool.ts";
import { searchTools } from "./tools/search-tools.ts";
import { toolOffer } from "./tools/tool-offer.ts";
import { type ShelfChange, ToolShelf } from "./tools/tool-shelf.ts";

export interface HubOptions {
  servers: readonly McpServerConfig[];
  version: string;
  /** The project folder. */
  root: string;
  processes: ProcessDoor;
  clock: Clock;
  fetch: FetchLike;
  cacheFolder: string;
  logFolder: string;
  /** For what services have granted. */
  authFolder: string;
  /** Taken out of logs. */
  secrets: readonly string[];
  /** Null: nobody can be asked. */
  dialogs: Dialogs | null;
  guard: TextGuard;
  /** Tokens for the definitions of tools in a request. */
  budget: number;
  estimate(text: string): number;
  /** Whether a tool may be used in this run (`--tools`, `--exclude-tools`). */
  allows(tool: string): boolean;
  notice(notice: Notice): void;
  /** The state of a server, or its lists, are different. */
  onChange(): void;
}

/** What a start would offer, and the files that it is made from. */
export interface Offering {
  tools: readonly AnyTool[];
  lists: readonly string[];
}

/** All MCP servers of a session and the tools, resources and prompts that they lend. */
export class McpHub {
  servers: readonly McpServer[];
  readonly prompts: McpPrompts;
  readonly #options: HubOptions;
  readonly #shelf: ToolShelf;
  /** Problems of single tools by server, so that each is told once. */
  readonly #told = new Map<string, string>();
  readonly #cache: ToolListCache;
  readonly #auths = new Map<string, McpAuth>();
  /** Servers whose absence was told. */
  readonly #missed = new Set<string>();

  constructor(options: HubOptions) {
    this.#options = options;
    this.#cache = toolListCache(options.cacheFolder, options.version);
    const redact = createRedactor(options.secrets);
    this.servers = options.servers.map((config) => this.#make(config, redact));
    this.prompts = new McpPrompts(() => this.#using(), options.guard);
    this.#shelf = this.#emptyShelf(() => this.#shelf.all());
    for (const server of this.servers) this.#listKnown(server);
  }

  /** Other servers from now on: those whose configuration is the same go on, others end, new ones wait to be started. */
  async reconfigure(configs: readonly McpServerConfig[], secrets: readonly string[]): Promise<void> {
    const redact = createRedactor(secrets);
    const same = (server: McpServer, config: McpServerConfig) => Bun.deepEquals(server.config, config);
    const before = this.servers;
    this.servers = configs.map(
      (config) => before.find((server) => same(server, config)) ?? this.#make(config, redact),
    );
    const gone = before.filter((server) => !this.servers.includes(server));
    for (const { name } of gone) this.#shelf.list(name, [], false);
    for (const server of this.servers) if (!before.includes(server)) this.#listKnown(server);
    await Promise.all(gone.map((server) => server.close()));
  }

  /** The tools of the run in progress or the next one. */
  get tools(): readonly AnyTool[] {
    return this.#shelf.tools;
  }

  /** Starts all servers, or only those whose tools are not known yet, side by side. Resolves when each has listed its tools or failed. */
  async start(which: "all" | "unknown"): Promise<void> {
    const chosen = this.servers.filter(({ catalog }) => which === "all" || catalog === null);
    await Promise.all(chosen.map((server) => server.start()));
  }

  /** Called when a run begins: what servers have listed meanwhile is in {@link tools} from then on, and a notice says what is different. */
  takeOver(): void {
    const change = this.#shelf.takeOver();
    if (change === null) return;
    const words = changeWords(change);
    if (words !== "") this.#options.notice({ level: "info", message: `tools of MCP servers: ${words}` });
  }

  /** What a server's tools cost in each request. */
  cost(server: string): ReturnType<ToolShelf["cost"]> {
    return this.#shelf.cost(server);
  }

  /** The server of each tool. */
  lenders(): ReadonlyMap<string, string> {
    return new Map(this.#shelf.all().map(({ name, server }) => [name, server]));
  }

  /** The server of this name; undefined for one that nobody configured. */
  find(name: string): McpServer | undefined {
    return this.servers.find((server) => server.name === name);
  }

  /** Switches a server off for this session: its tools go with the next run. */
  async disable(server: McpServer): Promise<void> {
    await server.stop("off");
    this.#shelf.list(server.name, [], false);
    this.#options.onChange();
  }

  /** Switches it on again. Resolves when it has listed its tools or failed. */
  async enable(server: McpServer): Promise<void> {
    await server.restart();
    this.#listKnown(server);
  }

  /** Whether a person can authorise this server: it is an address, and its configuration holds no key of its own. */
  canLogin({ name }: McpServer): boolean {
    return this.#auths.has(name);
  }

  /** Has the person authorise, then connects. Rejects with a PiError when it is not granted. */
  async login(server: McpServer, ports: LoginPorts): Promise<void> {
    await this.#auths.get(server.name)?.login(ports);
    await server.restart();
  }

  /**
   * What the next start would offer with the lists of now; null where it has something to say, waits for a list, or leaves tools to a
   * search, so that a start has to look for itself.
   */
  offering(): Offering | null {
    const servers = this.#using();
    const shelf = this.#emptyShelf(() => []);
    for (const server of servers) {
      const { tools, lost } = this.#toolsOf(server);
      const hides = server.catalog?.tools.some(({ offer }) => offer !== undefined && "hides" in offer);
      if (server.catalog === null || lost.length > 0 || hides === true) return null;
      shelf.list(server.name, tools, this.#lendsResources(server));
    }
    shelf.takeOver();
    const tools = shelf.tools;
    if (tools.some(({ standsFor, undeclared }) => standsFor !== undefined || undeclared === true))
      return null;
    return { tools, lists: servers.map(({ listFile }) => listFile) };
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()));
  }

  #make(config: McpServerConfig, redact: Redactor): McpServer {
    const options = this.#options;
    const { dialogs, clock } = options;
    const auth = this.#authFor(config);
    return new McpServer(config, {
      version: options.version,
      root: options.root,
      processes: options.processes,
      clock,
      fetch: auth?.fetch ?? options.fetch,
      auth,
      cache: this.#cache,
      log: serverLog(join(options.logFolder, `${fileName(config.name)}.log`), redact, () => clock.now()),
      elicit: async (server, request, signal) => {
        const { askPerson } = await import("./elicitation.ts");
        return askPerson(dialogs, server, request, signal);
      },
      offered: (catalog) => ({
        ...catalog,
        tools: catalog.tools.map((listed) => ({ ...listed, offer: this.#offer(config.name, listed) })),
      }),
      onCatalog: (server) => this.#list(server),
      onState: () => options.onChange(),
      onGone: (server) => this.#gone(server),
    });
  }

  #listKnown(server: McpServer): void {
    if (server.catalog !== null && server.state !== "off") this.#list(server);
  }

  /** A server whose configuration brings an Authorization header has no other one. */
  #authFor(config: McpServerConfig): McpAuth | null {
    const { transport: setting, name } = config;
    this.#auths.delete(name);
    if (setting.kind !== "http") return null;
    if (Object.keys(setting.headers).some((header) => header.toLowerCase() === "authorization")) return null;
    const { authFolder, fetch, clock } = this.#options;
    const store = new TokenStore(join(authFolder, `${fileName(name)}.json`), setting.url);
    const auth = new McpAuth({ setting, store, fetch, clock });
    this.#auths.set(name, auth);
    return auth;
  }

  #using(): readonly McpServer[] {
    return this.servers.filter(({ state }) => state !== "off");
  }

  #emptyShelf(searched: () => readonly McpTool[]): ToolShelf {
    const { budget, guard } = this.#options;
    const names = this.servers.map(({ name }) => name);
    const resources = resourcesTool(() => this.#using(), guard);
    return new ToolShelf({ budget, search: searchTools(searched, names), resources });
  }

  #list(server: McpServer): void {
    const { tools, lost } = this.#toolsOf(server);
    this.#tellLost(server, lost);
    this.#shelf.list(server.name, tools, this.#lendsResources(server));
    this.#options.onChange();
  }

  #lendsResources({ catalog }: McpServer): boolean {
    return catalog?.resources === true && this.#options.allows("mcp-resources");
  }

  /** The tools that a server lends, and what of its list cannot be used. */
  #toolsOf(server: McpServer): { tools: McpTool[]; lost: string[] } {
    const { guard, allows } = this.#options;
    const tools: McpTool[] = [];
    const lost: string[] = [];
    const names = new Set<string>();
    for (const listed of server.catalog?.tools ?? []) {
      const offer = listed.offer ?? this.#offer(server.name, listed);
      if ("problem" in offer) lost.push(`${listed.name} (${offer.problem})`);
      else if (names.has(offer.name)) lost.push(`${listed.name} (it is listed twice; the first one counts)`);
      else if (allows(offer.name)) {
        names.add(offer.name);
        tools.push(mcpTool(server, listed, offer, guard));
      }
    }
    return { tools, lost };
  }

  #offer(server: string, listed: ListedTool): ToolOffer | NoOffer {
    const { guard, estimate } = this.#options;
    return toolOffer(listed, { server, guard, estimate });
  }

  #tellLost({ name, log }: McpServer, lost: readonly string[]): void {
    if (lost.length === 0) return;
    const text = lost.join(", ");
    if (this.#told.get(name) === text) return;
    this.#told.set(name, text);
    const [first] = lost;
    const more = lost.length === 1 ? "" : ` and ${lost.length - 1} more, see ${log.path}`;
    log.note(`not used: ${text}`);
    this.#options.notice({
      level: "warning",
      message: `the MCP server "${name}": not used: ${first}${more}`,
    });
  }

  #gone(server: McpServer): void {
    if (this.#missed.has(`${server.name} ${server.problem}`)) return;
    this.#missed.add(`${server.name} ${server.problem}`);
    const how =
      server.state === "login" ? `/mcp login ${server.name} in the terminal` : `its log: ${server.log.path}`;
    this.#options.notice({
      level: "warning",
      message: `the MCP server "${server.name}" is not available: ${server.problem}; ${how}`,
    });
  }
}

const MOST_NAMES = 5;

function changeWords({ added, changed, removed }: ShelfChange): string {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ["new", added],
    ["changed", changed],
    ["gone", removed],
  ];
  return parts
    .filter(([, names]) => names.length > 0)
    .map(([word, names]) => {
      const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
      return `${word}: ${names.slice(0, MOST_NAMES).join(", ")}${more}`;
    })
    .join("; ");
}
