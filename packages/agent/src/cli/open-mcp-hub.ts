import { join } from "node:path";
import { estimateTokens, tokenFamily } from "../agent/token-estimate.ts";
import type { ProcessDoor } from "../contract/process.ts";
import type { Dialogs } from "../contract/slash-command.ts";
import { type HubOptions, McpHub } from "../extension/mcp/mcp-hub.ts";
import { systemClock } from "../platform/clock.ts";
import type { HomeFolders } from "../platform/home.ts";
import type { Flags } from "./flags.ts";
import type { ConfiguredServers } from "./mcp-servers.ts";
import type { Notices } from "./notices.ts";
import type { Settings } from "./run-setup.ts";
import { loadTextGuard } from "./text-guard.ts";
import { VERSION } from "./version.ts";

// One load for all that a start with servers needs: each costs some tenths of a millisecond.
export { configuredServers } from "./mcp-servers.ts";

/** What the MCP servers of a conversation are made from. */
export interface McpParts {
  settings: Settings;
  flags: Flags;
  environment: Readonly<Record<string, string | undefined>>;
  home: HomeFolders;
  /** The project folder. */
  cwd: string;
  mode: string;
  /** Names of the only servers that there may be; absent: all that are configured. */
  only?: readonly string[] | undefined;
  processes: ProcessDoor;
  notices: Notices;
  /** Asks the person what servers want to know; absent: nobody is there. */
  dialogs?: Dialogs;
  /** The state of a server is different. */
  onChange?: (() => void) | undefined;
}

/** The hub of the servers that the settings name. Nothing is started yet. */
export async function openMcpHub(
  options: McpParts,
  { servers, secrets }: Pick<ConfiguredServers, "servers" | "secrets">,
): Promise<McpHub> {
  const { settings, flags, environment, home, cwd, notices } = options;
  // Of an unknown family, so that what fits the budget does not depend on the model.
  const family = tokenFamily("");
  let fetcher: Promise<HubOptions["fetch"]> | undefined;
  return new McpHub({
    servers,
    version: VERSION,
    root: cwd,
    processes: options.processes,
    clock: systemClock,
    fetch: async (input, init) => {
      fetcher ??= import("./mcp-fetch.ts").then(({ mcpFetch }) => mcpFetch(settings.config, environment));
      return (await fetcher)(input, init);
    },
    cacheFolder: join(home.cache, "mcp"),
    logFolder: join(home.logs, "mcp"),
    authFolder: join(home.root, "mcp-auth"),
    secrets,
    dialogs: options.dialogs ?? null,
    guard: await loadTextGuard(notices),
    budget: settings.config.mcp.toolBudget,
    estimate: (text) => estimateTokens(text, family),
    allows: (tool) => isChosen(tool, flags),
    notice(notice) {
      notices.add(notice);
      options.onChange?.();
    },
    onChange: () => options.onChange?.(),
  });
}

/** `--tools` and `--exclude-tools` for tools that are not known when the flags are read; `*` at the end stands for any letters. */
function isChosen(tool: string, { tools, excludeTools }: Pick<Flags, "tools" | "excludeTools">): boolean {
  const fits = (pattern: string) =>
    pattern.endsWith("*") ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern;
  return (tools === null || tools.some(fits)) && !excludeTools.some(fits);
}
