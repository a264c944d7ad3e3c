/** MCP servers for end-to-end tests: a fake one, and where a user names them. */
import { join } from "node:path";
import type { Workspace } from "@pi-ts/testkit";
import { ROOT } from "./pi.ts";
import { stateFolder } from "./state.ts";

const FAKE = join(ROOT, "packages/agent/src/extension/mcp/__fixtures__/fake-server.ts");

/** An entry of `mcpServers` that starts the fake server with a plan. */
export function fakeEntry(plan: object = {}): { command: string; args: string[] } {
  return { command: process.execPath, args: ["--no-env-file", FAKE, JSON.stringify(plan)] };
}

/** The same with a plan that is too long for an argument; it is written into the workspace's home. */
export function largeEntry(ws: Workspace, plan: object): { command: string; args: string[] } {
  const file = join(ws.home, "plan.json");
  ws.write(file, JSON.stringify(plan));
  return { command: process.execPath, args: ["--no-env-file", FAKE, `@${file}`] };
}

/** Writes the user's `mcp.json`. */
export function userServers(ws: Workspace, mcpServers: object): void {
  ws.write(join(stateFolder(ws), "mcp.json"), JSON.stringify({ mcpServers }));
}

/** Writes the user's `config.json`. */
export function userConfig(ws: Workspace, config: object): void {
  ws.write(join(stateFolder(ws), "config.json"), JSON.stringify(config));
}
