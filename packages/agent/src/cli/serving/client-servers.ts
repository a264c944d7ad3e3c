import type { McpServerSetting } from "../../config/config.ts";
import type { HubToolServer } from "../../contract/session-hub.ts";
import type { Settings } from "../run-setup.ts";

/** The settings with the tool servers that a client brings; one of a configured name stands for it. */
export function withClientServers(settings: Settings, servers: readonly HubToolServer[]): Settings {
  if (servers.length === 0) return settings;
  const { config } = settings;
  const names = new Set(servers.map(({ name }) => name));
  const configured = config.mcp.servers.filter(({ name }) => !names.has(name));
  return {
    ...settings,
    config: { ...config, mcp: { ...config.mcp, servers: [...configured, ...servers.map(settingOf)] } },
  };
}

function settingOf(server: HubToolServer): McpServerSetting {
  const source = "the client of this session";
  if ("command" in server) {
    const { name, command, args, env } = server;
    return { name, source, command: literal(command), args: args.map(literal), env: literals(env) };
  }
  const { name, url, headers, transport } = server;
  return {
    name,
    source,
    url: literal(url),
    headers: literals(headers),
    ...(transport === undefined ? {} : { type: transport }),
  };
}

/** Settings may name variables; what a client sends is meant as it is, and must not read ours. */
function literal(text: string): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the form of a variable in settings
  return text.replaceAll("${", "${PI_NO_SUCH_VARIABLE:-$}{");
}

function literals(map: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, literal(value)]));
}
