import { resolve } from "node:path";
import type { McpServerSetting } from "../config/config.ts";
import { expandVariables } from "../config/expand-variables.ts";
import { collectMcpServers } from "../config/mcp-files.ts";
import { variableIn } from "../contract/settings.ts";
import type { McpServerConfig } from "../extension/mcp/server-config.ts";
import type { HomeFolders } from "../platform/home.ts";
import { ownKeyVariable } from "../provider/registry/provider-target.ts";
import { BUILT_IN_PROVIDERS } from "../provider/registry/providers.ts";
import type { Notices } from "./notices.ts";
import type { Settings } from "./run-setup.ts";

/** An entry that cannot be a server, and why. */
export interface UnusedServer {
  name: string;
  source: string;
  message: string;
}

export interface ConfiguredServers {
  servers: McpServerConfig[];
  unused: UnusedServer[];
  /** What variables were filled with: not for logs. */
  secrets: string[];
  /** Something of the files cannot be used, which was told. */
  warned: boolean;
}

/** All MCP servers of the settings, with their variables filled in: from the environment, then from `.env` files. */
export async function configuredServers(
  settings: Settings,
  {
    environment,
    home,
    cwd,
  }: { environment: Readonly<Record<string, string | undefined>>; home: HomeFolders; cwd: string },
  notices: Notices,
): Promise<ConfiguredServers> {
  const { config, project, trusted, keys } = settings;
  const collected = await collectMcpServers({
    configured: config.mcp.servers,
    userFolder: home.root,
    userHome: home.user,
    project,
    trusted,
  });
  notices.add(...collected.notices);
  const secrets = new Set<string>();
  const modelKeys = keyVariablesOf(config.providers);
  const servers: McpServerConfig[] = [];
  const unused: UnusedServer[] = [];
  for (const setting of collected.servers) {
    const source = setting.source ?? home.config;
    const theirs = source.startsWith(project.root) && !source.startsWith(home.root);
    const filled = new Filling((name) => {
      // A project may bring servers; it may not have them carry the keys of the models away.
      if (theirs && modelKeys.has(name)) return undefined;
      const value = environment[name] ?? keys.find(name)?.value;
      if (value !== undefined && value.length >= 8) secrets.add(value);
      return value;
    });
    const server = resolved(setting, source, cwd, filled, config.mcp);
    const [first] = filled.missing;
    if (first === undefined) servers.push(server);
    else if (setting.disabled !== true) {
      const kept =
        theirs && modelKeys.has(first) ? " (a project's server does not get keys of model services)" : "";
      const message = `the variable ${[...filled.missing].join(", ")} is not set${kept}`;
      unused.push({ name: setting.name, source, message });
      notices.warn(`${source}: the MCP server "${setting.name}" is not started: ${message}`);
    }
    for (const value of Object.values({ ...setting.env, ...setting.headers }))
      if (value.length >= 8) secrets.add(value);
  }
  const warned = collected.notices.length > 0 || unused.length > 0;
  return { servers, unused, secrets: [...secrets], warned };
}

/** The variables that hold keys of model services, of built-in providers and of the user's own. */
function keyVariablesOf(providers: Settings["config"]["providers"]): ReadonlySet<string> {
  const own = Object.entries(providers).flatMap(([name, { apiKey }]) => [
    ownKeyVariable(name),
    variableIn(apiKey ?? "") ?? [],
  ]);
  return new Set([...BUILT_IN_PROVIDERS.flatMap(({ keyVariables }) => keyVariables), ...own.flat()]);
}

/** Fills in texts and remembers which variables were not there. */
class Filling {
  readonly missing = new Set<string>();
  readonly #lookUp: (name: string) => string | undefined;

  constructor(lookUp: (name: string) => string | undefined) {
    this.#lookUp = lookUp;
  }

  text(text: string): string {
    const expanded = expandVariables(text, this.#lookUp);
    if ("text" in expanded) return expanded.text;
    for (const name of expanded.missing) this.missing.add(name);
    return text;
  }

  map(map: Readonly<Record<string, string>> | undefined): Record<string, string> {
    return Object.fromEntries(Object.entries(map ?? {}).map(([name, value]) => [name, this.text(value)]));
  }
}

function resolved(
  setting: McpServerSetting,
  source: string,
  cwd: string,
  filled: Filling,
  defaults: Settings["config"]["mcp"],
): McpServerConfig {
  const { name, command, url, type, oauth } = setting;
  const callMs = (setting.timeout ?? defaults.timeout) * 1_000;
  const limits = {
    startMs: (setting.startTimeout ?? defaults.startTimeout) * 1_000,
    callMs,
    mostCallMs: Math.max(callMs, defaults.maxTimeout * 1_000),
  };
  if (command !== undefined)
    return {
      name,
      source,
      limits,
      off: setting.disabled === true,
      transport: {
        kind: "stdio",
        command: filled.text(command),
        args: (setting.args ?? []).map((each) => filled.text(each)),
        env: filled.map(setting.env),
        cwd: setting.cwd === undefined ? cwd : resolve(cwd, filled.text(setting.cwd)),
      },
    };
  return {
    name,
    source,
    limits,
    off: setting.disabled === true,
    transport: {
      kind: "http",
      url: filled.text(url ?? ""),
      headers: filled.map(setting.headers),
      protocol: type === "http" || type === "sse" ? type : "auto",
      ...(oauth === undefined
        ? {}
        : {
            oauth: {
              ...oauth,
              ...(oauth.clientSecret === undefined ? {} : { clientSecret: filled.text(oauth.clientSecret) }),
            },
          }),
    },
  };
}
