import { existsSync } from "node:fs";
import { isAbsolute, resolve, sep } from "node:path";
import type { DoctorCheck } from "../commands/doctor.ts";
import type { McpServerConfig } from "../extension/mcp/server-config.ts";
import { publicAddress } from "../platform/public-address.ts";
import { configuredServers } from "./mcp-servers.ts";
import { Notices } from "./notices.ts";
import type { Place } from "./place.ts";
import type { Settings } from "./run-setup.ts";

/** A line of `pi doctor` for each MCP server: whether what it is started with is there. Nothing is started, no address is asked. */
export async function mcpChecks(settings: Settings, place: Place): Promise<DoctorCheck[]> {
  const notices = new Notices();
  const { servers, unused } = await configuredServers(settings, place, notices);
  const name = "MCP server";
  return [
    ...servers.map((server) => ({ name, ...serverCheck(server, place.environment) })),
    ...unused.map(({ name: entry, source, message }) => ({
      name,
      state: "limited" as const,
      found: `${entry} is not started: ${message}`,
      hint: `correct its entry in ${source}`,
    })),
    ...notices
      .take()
      .filter(({ message }) => !unused.some((entry) => message.includes(`"${entry.name}"`)))
      .map(({ message }) => ({ name, state: "limited" as const, found: message })),
  ];
}

function serverCheck(
  { name, transport, source, off }: McpServerConfig,
  environment: Place["environment"],
): Omit<DoctorCheck, "name"> {
  if (off) return { state: "ok", found: `${name} is disabled in ${source}` };
  if (transport.kind === "http")
    return {
      state: "ok",
      found: `${name} at ${publicAddress(transport.url)}; /mcp in the terminal shows whether it answers`,
    };
  const { command, cwd } = transport;
  if (!existsSync(cwd))
    return {
      state: "limited",
      found: `${name} cannot start: the folder ${cwd} does not exist`,
      hint: `correct "cwd" in ${source}`,
    };
  const program = command.includes(sep)
    ? existsSync(isAbsolute(command) ? command : resolve(cwd, command))
    : Bun.which(command, { PATH: environment["PATH"] ?? "" }) !== null;
  if (program) return { state: "ok", found: `${name}: ${command}` };
  return {
    state: "limited",
    found: `${name} cannot start: there is no program ${command}`,
    hint: `install ${command}, or correct "command" in ${source}`,
  };
}
