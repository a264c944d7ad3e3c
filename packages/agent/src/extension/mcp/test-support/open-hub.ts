import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@pi-ts/testkit";
import type { Notice } from "../../../contract/settings.ts";
import type { AnyTool, ToolContext, ToolOutcome } from "../../../contract/tool.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createProcessRegistry, type ProcessRegistry } from "../../../platform/processes/registry.ts";
import { createSpillDoor } from "../../../sandbox/spill.ts";
import { type HubOptions, McpHub } from "../mcp-hub.ts";
import type { HttpSetting, McpServerConfig, ServerLimits } from "../server-config.ts";

const FAKE = join(import.meta.dir, "..", "__fixtures__", "fake-server.ts");
const LIMITS: ServerLimits = { startMs: 60_000, callMs: 60_000, mostCallMs: 600_000 };

/** A configuration of the fake server. */
export function fakeServer(
  ws: Workspace,
  name: string,
  plan: object = {},
  limits: Partial<ServerLimits> = {},
): McpServerConfig {
  return program(ws, name, [FAKE, JSON.stringify({ heard: heardFile(ws, name), ...plan })], limits);
}

/** A configuration of any program that runs on this runtime. */
export function program(
  ws: Workspace,
  name: string,
  args: readonly string[],
  limits: Partial<ServerLimits> = {},
): McpServerConfig {
  return {
    name,
    source: "mcp.json",
    limits: { ...LIMITS, ...limits },
    off: false,
    transport: {
      kind: "stdio",
      command: process.execPath,
      args: ["--no-env-file", ...args],
      env: {},
      cwd: ws.path,
    },
  };
}

/** A configuration of an address. */
export function address(
  name: string,
  url: string,
  more: Partial<HttpSetting> = {},
  limits: Partial<ServerLimits> = {},
): McpServerConfig {
  return {
    name,
    source: "mcp.json",
    limits: { ...LIMITS, ...limits },
    off: false,
    transport: { kind: "http", url, headers: {}, protocol: "auto", ...more },
  };
}

function heardFile(ws: Workspace, name: string): string {
  return join(ws.home, `${name}.heard`);
}

/** What the fake server of this name was sent. */
export function heard(
  ws: Workspace,
  name: string,
): { method?: string; params?: Record<string, unknown>; result?: unknown }[] {
  const file = heardFile(ws, name);
  if (!existsSync(file)) return [];
  // A line that is just being written is none yet.
  return readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** A hub on a workspace, with real processes; all of it ends at disposal. */
export interface OpenHub extends AsyncDisposable {
  hub: McpHub;
  processes: ProcessRegistry;
  notices: Notice[];
  /** Takes over what was listed, and gives the names of the tools that a model is told of. */
  declared(): string[];
  /** Runs a tool, as the loop would. */
  call(name: string, input?: object, parts?: Partial<ToolContext>): Promise<ToolOutcome>;
  /** The log of a server. */
  log(name: string): string;
}

let owners = 0;

/** Opens a hub and starts nothing yet. */
export function openHub(
  ws: Workspace,
  servers: readonly McpServerConfig[],
  options: Partial<HubOptions> = {},
): OpenHub {
  const processes = createProcessRegistry({
    environment: ws.env(),
    ownerId: `mcp-${process.pid}-${++owners}`,
    clock: systemClock,
  });
  const notices: Notice[] = [];
  const state = join(ws.home, ".pi-go");
  const hub = new McpHub({
    servers,
    version: "1.2.3",
    root: ws.path,
    processes,
    clock: systemClock,
    fetch: (input, init) => fetch(input, init),
    cacheFolder: join(state, "cache", "mcp"),
    logFolder: join(state, "log", "mcp"),
    authFolder: join(state, "mcp-auth"),
    secrets: [],
    dialogs: null,
    guard: (_source, text) => text,
    budget: 100_000,
    estimate: (text) => Math.ceil(text.length / 4),
    allows: () => true,
    notice: (notice) => notices.push(notice),
    onChange: () => undefined,
    ...options,
  });
  const find = (name: string): AnyTool => {
    hub.takeOver();
    const tool = hub.tools.find((each) => each.name === name);
    if (tool === undefined)
      throw new Error(`there is no tool ${name}: ${hub.tools.map((each) => each.name).join(" ")}`);
    return tool;
  };
  return {
    hub,
    processes,
    notices,
    declared() {
      hub.takeOver();
      return hub.tools.filter(({ undeclared }) => undeclared !== true).map(({ name }) => name);
    },
    async call(name, input = {}, parts = {}) {
      const doors = {
        cwd: ws.path,
        callId: "call",
        sessionId: "session",
        processes,
        spill: createSpillDoor(join(ws.home, "output")),
        signal: new AbortController().signal,
        progress: () => undefined,
        ...parts,
      };
      return await find(name).run(input, doors as unknown as ToolContext);
    },
    log(name) {
      const server = hub.find(name)!;
      server.log.flush();
      return existsSync(server.log.path) ? readFileSync(server.log.path, "utf8") : "";
    },
    async [Symbol.asyncDispose]() {
      await hub.close();
      await processes.endAll();
    },
  };
}
