import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ProcessDoor } from "../contract/process.ts";
import type { SlashCommandInfo } from "../contract/slash-command.ts";
import type { AnyTool } from "../contract/tool.ts";
import type { McpHub } from "../extension/mcp/mcp-hub.ts";
import { systemClock } from "../platform/clock.ts";
import type { UnusedServer } from "./mcp-servers.ts";
import type { McpParts } from "./open-mcp-hub.ts";
import type { Settings } from "./settings.ts";

/** The MCP servers of a conversation. Nothing of them is loaded when none is configured. */
export interface LateMcp {
  /** Null when there is none. */
  readonly hub: McpHub | null;
  readonly unused: readonly UnusedServer[];
  /** The owner of their programs. */
  readonly processes: ProcessDoor;
  /** Why there can be none in this run; null when there may be some. */
  off(): string | null;
  /** The tools for a run: the built-in ones, then those of servers. The same list as long as nothing changes. */
  tools(): readonly AnyTool[];
  /** Takes over what servers have listed since the last run. */
  takeOver(): void;
  /** Waits as a run without a person does: until each server has listed its tools or failed, at most for `mcp.startupWait` from their start. */
  ready(): Promise<void>;
  /** Reads the settings anew: servers whose entries are as before go on. Resolves when new ones have listed their tools or failed. */
  reload(): Promise<void>;
  commands(): readonly SlashCommandInfo[];
  close(): Promise<void>;
}

/** A one-shot run whose tools are known leaves the machine to its request first. */
const LATER_MS = 300;

/** Begins to start the servers of the settings, and waits for none of them. `builtIn` are the tools that come first. */
export async function lateMcp(options: McpParts, builtIn: readonly AnyTool[]): Promise<LateMcp> {
  const { settings, flags, notices } = options;
  const oneShot = options.mode !== "interactive";
  const begun = performance.now();
  let hub: McpHub | null = null;
  let unused: readonly UnusedServer[] = [];
  let started = Promise.resolve();
  let later: ReturnType<typeof setTimeout> | undefined;
  let tools = builtIn;
  let taken: readonly AnyTool[] = [];

  async function configure(current: Settings): Promise<void> {
    const { configuredServers, openMcpHub } = await import("./open-mcp-hub.ts");
    const found = await configuredServers(current, options, notices);
    ({ unused } = found);
    const { only } = options;
    const servers = found.servers.filter(({ name }) => only === undefined || only.includes(name));
    if (hub !== null) await hub.reconfigure(servers, found.secrets);
    else if (servers.length > 0) hub = await openMcpHub(options, { ...found, servers });
  }

  const off = () => (flags.tools?.length === 0 ? "it was started with --no-tools" : null);
  if (off() === null && mayHaveServers(options)) {
    await configure(settings);
    started = (hub as McpHub | null)?.start(oneShot ? "unknown" : "all") ?? started;
  }
  return {
    get hub() {
      return hub;
    },
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
      if (hub === null) return;
      const servers = hub;
      const { startupWait } = settings.config.mcp;
      const waited = new AbortController();
      const left = Math.max(0, begun + startupWait * 1_000 - performance.now());
      await Promise.race([started, systemClock.sleep(left, waited.signal)]);
      waited.abort();
      for (const { name, state, catalog } of servers.servers)
        if (state === "starting" && catalog === null)
          notices.add({
            level: "info",
            message: `the MCP server "${name}" has not listed its tools within ${startupWait} s, so this run begins without them (mcp.startupWait)`,
          });
      later = setTimeout(() => void servers.start("all"), LATER_MS);
      later.unref();
    },
    async reload() {
      const { loadSettings } = await import("./settings.ts");
      const { environment, cwd, home } = options;
      await configure(await loadSettings(flags, environment, cwd, home, notices));
      await hub?.start("all");
    },
    commands: () => hub?.prompts.commands() ?? [],
    async close() {
      clearTimeout(later);
      await hub?.close();
    },
  };
}

/** The names out of `--tools` or `--exclude-tools` that are not of tools of servers; those are known only later. */
export function builtInNames(names: readonly string[], place: McpPlace): readonly string[] {
  if (!mayHaveServers(place)) return names;
  return names.filter((name) => !(name.includes("__") || SERVER_TOOLS.has(name)));
}

const SERVER_TOOLS: ReadonlySet<string> = new Set(["mcp-search", "mcp-call", "mcp-resources"]);

type McpPlace = Pick<McpParts, "settings" | "home">;

/** Whether any file could name a server; a look at the disk, so that a start without servers loads nothing. */
function mayHaveServers({ settings, home }: McpPlace): boolean {
  const { config, project, trusted } = settings;
  if (config.mcp.servers.length > 0 || existsSync(join(home.root, "mcp.json"))) return true;
  if (!trusted) return false;
  return (
    existsSync(join(project.root, ".mcp.json")) ||
    (project.folder !== null && existsSync(join(project.folder, "mcp.json")))
  );
}
