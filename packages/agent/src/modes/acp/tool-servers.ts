import type { McpServer } from "@agentclientprotocol/sdk";
import type { HubToolServer } from "../../contract/session-hub.ts";

/** The tool servers that an editor hands over for a session. */
export function toolServers(servers: readonly McpServer[] | undefined): HubToolServer[] {
  return (servers ?? []).map((server) => {
    if (!("url" in server)) {
      const { name, command, args, env } = server;
      return { name, command, args, env: record(env) };
    }
    const { name, url, headers, type } = server;
    return { name, url, headers: record(headers), transport: type };
  });
}

function record(pairs: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
