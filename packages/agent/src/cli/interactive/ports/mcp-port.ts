import type { ListedServer, McpPorts, McpReport } from "../../../commands/slash/mcp.ts";
import { PiError } from "../../../contract/errors.ts";
import type { SurfaceControl } from "../../../contract/interactive.ts";
import type { McpHub } from "../../../extension/mcp/mcp-hub.ts";
import type { McpServer } from "../../../extension/mcp/server/mcp-server.ts";
import { publicAddress } from "../../../platform/public-address.ts";
import { openBrowser } from "../../open-browser.ts";
import type { Program } from "../program.ts";
import { homeRelative } from "./settings-port.ts";

export interface McpPortParts {
  program: Program;
  surface: SurfaceControl;
}

/** The MCP servers of the open conversation. */
export function mcpPort({ program, surface }: McpPortParts): McpPorts["mcp"] {
  const late = () => {
    if (program.app !== undefined) return program.app.mcp;
    throw new Error("the conversation is not open");
  };
  const known = (name: string): { hub: McpHub; server: McpServer } => {
    const { hub } = late();
    const server = hub?.find(name);
    if (hub && server) return { hub, server };
    throw new PiError({ code: "mcp_unknown", message: `there is no MCP server "${name}"` });
  };
  return {
    off: () => (program.app === undefined ? "the conversation is not open" : late().off()),
    list: () => report(program),
    async reload() {
      await late().reload();
      return report(program);
    },
    async restart(name) {
      const { hub, server } = known(name);
      if (server.state === "off") await hub.enable(server);
      else await server.restart();
      return shown(hub, server);
    },
    async enable(name) {
      const { hub, server } = known(name);
      if (server.state === "off") await hub.enable(server);
      return shown(hub, server);
    },
    async disable(name) {
      const { hub, server } = known(name);
      await hub.disable(server);
    },
    async login(name, { signal, shown: tell }) {
      const { hub, server } = known(name);
      if (!hub.canLogin(server))
        throw new PiError({
          code: "mcp_login",
          message: `the MCP server "${name}" takes no login: it is a program, or its entry has an Authorization header`,
          hint: "Only servers with a url and without that header ask for one.",
        });
      await hub.login(server, {
        signal,
        show(url, take) {
          const opened = openBrowser(url, program.parts.place.environment, late().processes);
          void surface.copy(url);
          program.tell(
            "info",
            `${opened ? "a browser opens" : "open this address in a browser"} to authorise ${name} (it is in the clipboard, too): ${url}`,
          );
          tell(take);
        },
      });
      return shown(hub, server);
    },
    completePrompt: async (name, argument, signal) =>
      (await program.app?.mcp.hub?.prompts.complete(name, argument, signal)) ?? [],
  };
}

function report({ app, parts }: Program): McpReport {
  const { hub, unused } = app!.mcp;
  const { home, cwd } = parts.place;
  return {
    servers: (hub?.servers ?? []).map((server) => shown(hub!, server)),
    unused: unused.map(({ name, source, message }) => ({ name, file: homeRelative(source), message })),
    files: [`${home.root}/mcp.json`, `${cwd}/.mcp.json`].map(homeRelative),
  };
}

function shown(hub: McpHub, { name, state, problem, catalog, config, log }: McpServer): ListedServer {
  const { transport, source } = config;
  return {
    name,
    state,
    problem,
    ...hub.cost(name),
    prompts: catalog?.prompts.length ?? 0,
    resources: catalog?.resources === true,
    where:
      transport.kind === "stdio"
        ? [transport.command, ...transport.args].join(" ")
        : publicAddress(transport.url),
    file: homeRelative(source),
    log: homeRelative(log.path),
  };
}
