import { existsSync } from "node:fs";
import { mcpFiles } from "../config/mcp-paths.ts";
import { PiError } from "../contract/errors.ts";
import type { ProcessDoor } from "../contract/process.ts";
import type { SlashCommandInfo } from "../contract/slash-command.ts";
import type { AnyTool } from "../contract/tool.ts";
import type { McpHub } from "../extension/mcp/mcp-hub.ts";
import { systemClock } from "../platform/clock.ts";
import { type KnownTool, KnownTools } from "./known-tools.ts";
import type { UnusedServer } from "./mcp-servers.ts";
import type { McpParts } from "./open-mcp-hub.ts";
import type { Settings } from "./run-setup.ts";

/** The MCP servers of a conversation. Nothing of them is loaded when none is configured. */
export interface LateMcp {
  /** Null when there is none, or (in a one-shot run) nothing has needed it yet. */
  readonly hub: McpHub | null;
  /** The same, made when nothing has needed it yet. */
  opened(): Promise<McpHub | null>;
  readonly unused: readonly UnusedServer[];
  /** The owner of their programs. */
  readonly processes: ProcessDoor;
  /** Why there can be none in this run; null when there may be some. */
  off(): string | null;
  /** The tools for a run: the built-in ones, then those of servers. The same list as long as nothing changes. */
  tools(): readonly AnyTool[];
  /** Takes over what servers have listed since the last run. */
  takeOver(): void;
  /** Waits as what cannot take tools later does: until each server whose list is not known has given it or failed, at most for `mcp.startupWait`. */
  ready(): Promise<void>;
  /** Reads the settings anew: servers whose entries are as before go on. Resolves when new ones have listed their tools or failed. */
  reload(): Promise<void>;
  commands(): readonly SlashCommandInfo[];
  close(): Promise<void>;
}

/** A process that is older does something else before its first conversation. */
const JUST_BEGUN_MS = 300;

/** A one-shot run whose tools are known leaves the machine to its request first. */
const LATER_MS = 300;

/**
 * Modes whose conversations live on between prompts. Their servers all start at once, so that prompts of servers and tools that have
 * changed are there for the prompts to come. `keeps`: what is configured is the user's alone, so that what was offered may be kept for
 * the next one-shot run; a client's servers hold secrets that are to stay out of files.
 */
const LASTING: Readonly<Record<string, { keeps: boolean }>> = {
  interactive: { keeps: true },
  rpc: { keeps: false },
  acp: { keeps: false },
};

/**
 * Begins to start the servers of the settings, and waits for none of them. `builtIn` are the tools that come first. A one-shot run whose
 * tools are known from the last start makes nothing of this until a tool is called or its request is on its way.
 */
export async function lateMcp(options: McpParts, builtIn: readonly AnyTool[]): Promise<LateMcp> {
  const { settings, flags, notices } = options;
  const lasting = Object.hasOwn(LASTING, options.mode) ? LASTING[options.mode] : undefined;
  const now = performance.now();
  // Whoever asks once has waited since the process began; `mcp.startupWait` is all that servers may add to it.
  const begun = lasting === undefined && now < JUST_BEGUN_MS ? 0 : now;
  let hub: McpHub | null = null;
  let unused: readonly UnusedServer[] = [];
  let started = Promise.resolve();
  let later: ReturnType<typeof setTimeout> | undefined;
  let tools = builtIn;
  let taken: readonly AnyTool[] = [];
  let warned = false;

  async function configure(current: Settings): Promise<void> {
    const { configuredServers, openMcpHub } = await import("./open-mcp-hub.ts");
    const found = await configuredServers(current, options, notices);
    ({ unused, warned } = found);
    const { only } = options;
    const servers = found.servers.filter(({ name }) => only === undefined || only.includes(name));
    if (hub !== null) await hub.reconfigure(servers, found.secrets);
    else if (servers.length > 0) hub = await openMcpHub(options, { ...found, servers });
  }

  let opening: Promise<McpHub | null> | undefined;
  const opened = () => {
    opening ??= (async () => {
      await configure(settings);
      if (hub === null) return hub;
      started = hub.start("unknown");
      if (lasting !== undefined) void hub.start("all");
      return hub;
    })();
    return opening;
  };
  const off = () => (flags.tools?.length === 0 ? "it was started with --no-tools" : null);
  const files = off() === null ? filesOf(options) : null;
  const known = files === null || lasting?.keeps === false ? null : KnownTools.of(options, files);
  const last = lasting === undefined ? (known?.read() ?? null) : null;
  if (last !== null) {
    const theirs = async (name: string) => {
      const made = await opened();
      made?.takeOver();
      return made?.tools.find((tool) => tool.name === name);
    };
    tools = [...builtIn, ...last.map((tool) => lateTool(tool, theirs))];
  } else if (files !== null) await opened();
  return {
    get hub() {
      return hub;
    },
    opened: async () => (files === null ? hub : await opened()),
    get unused() {
      return unused;
    },
    processes: options.processes,
    off,
    tools: () => tools,
    takeOver() {
      if (hub === null) return;
      hub.takeOver();
      if (taken === hub.tools) return;
      taken = hub.tools;
      tools = [...builtIn, ...taken];
    },
    async ready() {
      if (files === null) return;
      if (hub !== null) {
        const { startupWait } = settings.config.mcp;
        const waited = new AbortController();
        const left = Math.max(0, begun + startupWait * 1_000 - performance.now());
        await Promise.race([started, systemClock.sleep(left, waited.signal)]);
        waited.abort();
        for (const { name, state, catalog } of (hub as McpHub).servers)
          if (state === "starting" && catalog === null)
            notices.add({
              level: "info",
              message: `the MCP server "${name}" has not listed its tools within ${startupWait} s, so this run begins without them (mcp.startupWait)`,
            });
      }
      if (lasting !== undefined) return;
      const startAll = async () => (await opened())?.start("all");
      later = setTimeout(() => void startAll().catch(() => undefined), LATER_MS);
      later.unref();
    },
    async reload() {
      const { loadSettings } = await import("./settings.ts");
      const { environment, cwd, home } = options;
      const { trustedAs } = settings;
      await configure(await loadSettings(flags, environment, cwd, home, notices, undefined, trustedAs));
      await hub?.start("all");
    },
    commands: () => hub?.prompts.commands() ?? [],
    async close() {
      clearTimeout(later);
      const servers = opening === undefined ? null : await opening.catch(() => null);
      if (servers === null) return;
      const offering = warned ? null : servers.offering();
      await servers.close();
      known?.keep(offering);
    },
  };
}

/** A tool of the last start: its server is looked for when it is called. */
function lateTool(tool: KnownTool, find: (name: string) => Promise<AnyTool | undefined>): AnyTool {
  return {
    ...tool,
    async run(input, context) {
      const found = await find(tool.name);
      if (found !== undefined) return await found.run(input, context);
      throw new PiError({
        code: "mcp_unknown",
        message: `${tool.name} is not offered any more: its MCP server lists other tools now`,
      });
    },
  };
}

/** The names out of `--tools` or `--exclude-tools` that are not of tools of servers; those are known only later. */
export function builtInNames(names: readonly string[], place: McpPlace): readonly string[] {
  if (filesOf(place) === null) return names;
  return names.filter((name) => !(name.includes("__") || SERVER_TOOLS.has(name)));
}

const SERVER_TOOLS: ReadonlySet<string> = new Set(["mcp-search", "mcp-call", "mcp-resources"]);

type McpPlace = Pick<McpParts, "settings" | "home">;

/** The files beside the configuration that may name servers; null when nothing can name one. A look at the disk, so that a start without servers loads nothing. */
function filesOf({ settings, home }: McpPlace): readonly string[] | null {
  const { config, project, trusted } = settings;
  const places = mcpFiles({ userFolder: home.root, project, trusted });
  const files = [places.user, ...places.project].filter((file) => existsSync(file));
  return files.length === 0 && config.mcp.servers.length === 0 ? null : files;
}
