import { dirname, isAbsolute, join, resolve } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../contract/json.ts";
import type { Notice } from "../contract/settings.ts";
import type { McpServerSetting } from "./config.ts";
import { mcpFiles } from "./mcp-paths.ts";
import type { Project } from "./project.ts";
import { type JsonFile, readJsonFile } from "./read-json-file.ts";

export interface McpFilesOptions {
  /** `mcp.servers` of the merged configuration, each with the file that names it. */
  configured: readonly McpServerSetting[];
  /** The user's `~/.pi-go` and home folder. */
  userFolder: string;
  userHome: string;
  project: Project;
  /** Whether the project's files act. */
  trusted: boolean;
}

/** Other programs' words for how a server is spoken to. */
const TYPES: Readonly<Record<string, McpServerSetting["type"]>> = {
  stdio: "stdio",
  http: "http",
  "streamable-http": "http",
  streamableHttp: "http",
  sse: "sse",
};

/**
 * All servers of the configuration and of `mcp.json` files in the form that other programs share, each name once: a trusted project's
 * wins over the user's, and in one place `config.json` over `.pi-go/mcp.json` over `.mcp.json`. An entry that cannot be used is named
 * with its file and line and costs no other one. Never throws.
 */
export async function collectMcpServers(
  options: McpFilesOptions,
): Promise<{ servers: McpServerSetting[]; notices: Notice[] }> {
  const { configured, userHome, project } = options;
  const files = mcpFiles(options);
  const notices: Notice[] = [];
  const read = (file: string) => readServers(file, userHome, notices);
  const inProject = (file: string) => project.folder !== null && file.startsWith(project.folder);
  const ours = configured.filter(({ source }) => source === undefined || !inProject(source));
  const theirs = configured.filter(({ source }) => source !== undefined && inProject(source));
  const shared: McpServerSetting[] = [];
  for (const file of files.project) shared.push(...(await read(file)));
  const byName = new Map<string, McpServerSetting>();
  for (const server of [...(await read(files.user)), ...ours, ...shared, ...theirs])
    byName.set(server.name, server);
  const servers = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return { servers, notices };
}

async function readServers(file: string, userHome: string, notices: Notice[]): Promise<McpServerSetting[]> {
  const json = await readJsonFile(file);
  if (json.state === "missing") return [];
  const warn = (message: string) => notices.push({ level: "warning", message });
  if (json.state === "broken") {
    warn(`${file} is not used: ${json.problem}. The file is left as it is`);
    return [];
  }
  const key =
    json.value["mcpServers"] === undefined && json.value["servers"] !== undefined ? "servers" : "mcpServers";
  const listed = json.value[key] ?? {};
  const entries: [string | number, Json][] = Array.isArray(listed)
    ? listed.map((entry, index) => [index, entry])
    : isJsonObject(listed)
      ? Object.entries(listed)
      : [];
  if (typeof listed !== "object" || listed === null)
    warn(`${file}: "${key}" is ignored: it must be an object { "name": { … } }`);
  // A file in `.pi-go` belongs to the folder above it.
  const folder = dirname(file).endsWith(".pi-go") ? dirname(dirname(file)) : dirname(file);
  const servers: McpServerSetting[] = [];
  for (const [at, entry] of entries) {
    const name = typeof at === "string" ? at : isJsonObject(entry) ? entry["name"] : undefined;
    const made = serverOf(name, entry, { file, folder, userHome });
    if ("server" in made) servers.push(made.server);
    else
      warn(
        `${file}${await lineOf(json, [key, at])}: the MCP server ${JSON.stringify(name ?? at)} is ignored: ${made.problem}`,
      );
  }
  return servers;
}

function serverOf(
  name: Json | undefined,
  entry: Json,
  place: { file: string; folder: string; userHome: string },
): { server: McpServerSetting } | { problem: string } {
  if (typeof name !== "string" || name.trim() === "") return { problem: "it has no name" };
  if (!isJsonObject(entry)) return { problem: "it must be an object { … }" };
  const { command, args, env, cwd, headers, disabled, timeout, startTimeout, oauth } = entry;
  const url = entry["url"] ?? entry["serverUrl"];
  const type = entry["type"] ?? entry["transport"];
  if ((command === undefined) === (url === undefined))
    return { problem: 'it needs either "command" or "url"' };
  if (command !== undefined && (typeof command !== "string" || command === ""))
    return { problem: '"command" must be a text that is not empty' };
  if (url !== undefined && (typeof url !== "string" || !/^(https?:\/\/|\$\{)/.test(url)))
    return { problem: '"url" must begin with http:// or https://' };
  if (args !== undefined && !(Array.isArray(args) && args.every((each) => typeof each === "string")))
    return { problem: '"args" must be a list of texts' };
  for (const [key, map] of [
    ["env", env],
    ["headers", headers],
  ] as const)
    if (map !== undefined && !isTextMap(map)) return { problem: `"${key}" must be an object of texts` };
  if (cwd !== undefined && typeof cwd !== "string") return { problem: '"cwd" must be a path' };
  if (type !== undefined && (typeof type !== "string" || !Object.hasOwn(TYPES, type)))
    return { problem: `"type" must be one of ${Object.keys(TYPES).join(", ")}` };
  for (const [key, limit] of [
    ["timeout", timeout],
    ["startTimeout", startTimeout],
  ] as const)
    if (limit !== undefined && !(typeof limit === "number" && limit > 0))
      return { problem: `"${key}" must be seconds above 0` };
  const known = type === undefined ? undefined : TYPES[type as string];
  return {
    server: {
      name,
      source: place.file,
      ...(command === undefined ? {} : { command: command as string }),
      ...(args === undefined ? {} : { args: args as string[] }),
      ...(env === undefined ? {} : { env: env as Record<string, string> }),
      ...(cwd === undefined ? {} : { cwd: absolute(cwd as string, place) }),
      ...(url === undefined ? {} : { url: url as string }),
      ...(headers === undefined ? {} : { headers: headers as Record<string, string> }),
      ...(known === undefined ? {} : { type: known }),
      ...(isJsonObject(oauth) ? { oauth: oauthOf(oauth) } : {}),
      ...(disabled === true ? { disabled } : {}),
      ...(timeout === undefined ? {} : { timeout: timeout as number }),
      ...(startTimeout === undefined ? {} : { startTimeout: startTimeout as number }),
    },
  };
}

function oauthOf({ clientId, clientSecret, scopes }: JsonObject): NonNullable<McpServerSetting["oauth"]> {
  return {
    ...(typeof clientId === "string" ? { clientId } : {}),
    ...(typeof clientSecret === "string" ? { clientSecret } : {}),
    ...(Array.isArray(scopes) ? { scopes: scopes.filter((each) => typeof each === "string") } : {}),
  };
}

function isTextMap(value: Json): value is Record<string, string> {
  return isJsonObject(value) && Object.values(value).every((each) => typeof each === "string");
}

function absolute(path: string, { folder, userHome }: { folder: string; userHome: string }): string {
  if (path === "~" || path.startsWith("~/")) return join(userHome, path.slice(1));
  // A path that begins with a variable is judged when it is filled in.
  return isAbsolute(path) || path.startsWith("${") ? path : resolve(folder, path);
}

/** `:12`, the line on which an entry of the file begins; empty where it cannot be told. */
async function lineOf(json: Extract<JsonFile, { state: "ok" }>, path: (string | number)[]): Promise<string> {
  const { findNodeAtLocation, parseTree } = await import("jsonc-parser");
  const root = parseTree(json.text, [], { allowTrailingComma: true });
  const node = root === undefined ? undefined : findNodeAtLocation(root, path);
  if (node === undefined) return "";
  const start = node.parent?.type === "property" ? node.parent.offset : node.offset;
  return `:${json.text.slice(0, start).split(/\r\n|\r|\n/).length}`;
}
