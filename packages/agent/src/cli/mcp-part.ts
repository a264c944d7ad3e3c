import type { StartPart, StatusFacts } from "../contract/interactive.ts";
import type { McpServer } from "../extension/mcp/server/mcp-server.ts";

/** How many servers there are but those that are switched off, for the status line. */
export function mcpCounts(servers: readonly McpServer[]): NonNullable<StatusFacts["mcp"]> {
  const states = servers.map(({ state }) => state).filter((state) => state !== "off");
  return {
    ready: states.filter((state) => state === "ready").length,
    failed: states.filter((state) => state === "failed" || state === "login").length,
    total: states.length,
  };
}

/** How all servers together are, as one part of the program that starts. */
export function mcpPart(servers: readonly McpServer[]): Pick<StartPart, "state"> & { detail?: string } {
  const { ready, failed, total } = mcpCounts(servers);
  if (total === 0) return { state: "off" };
  const named = (...states: readonly McpServer["state"][]) =>
    servers.filter(({ state }) => states.includes(state));
  if (ready + failed < total)
    return {
      state: "loading",
      detail: named("starting", "waiting")
        .map(({ name }) => name)
        .join(", "),
    };
  if (failed === 0) return { state: "ready", detail: ready === 1 ? "1 server" : `${ready} servers` };
  const how = named("failed", "login").map(({ name, state }) =>
    state === "login" ? `${name} needs /mcp login` : `${name} failed`,
  );
  return { state: "failed", detail: `${ready} of ${total} servers: ${how.join(", ")}` };
}
