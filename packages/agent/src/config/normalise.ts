import { isAbsolute, join, resolve } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../contract/json.ts";
import type { Notice } from "../contract/settings.ts";

/**
 * A validated layer in its one form: short forms written out (`"sandbox": "off"`, a role as a text), paths made absolute
 * (`~/` is the user's home, others lie beside the config file), hooks and MCP servers with their file, servers without exactly one of `command` and
 * `url` left out.
 */
export function normaliseLayer(
  layer: JsonObject,
  place: { file: string; folder: string; userHome: string },
): { value: JsonObject; notices: Notice[] } {
  const value: JsonObject = { ...layer };
  const notices: Notice[] = [];
  const from = (folder: string, path: Json): Json => {
    if (typeof path !== "string") return path;
    if (path === "~" || path.startsWith("~/")) return join(place.userHome, path.slice(1));
    return isAbsolute(path) ? path : resolve(folder, path);
  };
  const absolute = (path: Json): Json => from(place.folder, path);
  delete value["$schema"];
  if (isJsonObject(value["roles"]))
    value["roles"] = Object.fromEntries(
      Object.entries(value["roles"]).map(([name, role]) => [
        name,
        isJsonObject(role) ? role : { model: role },
      ]),
    ) as JsonObject;
  if (typeof value["sandbox"] === "string") value["sandbox"] = { tier: value["sandbox"] };
  if (typeof value["lsp"] === "string") value["lsp"] = { mode: value["lsp"] };
  if (isJsonObject(value["sandbox"]) && Array.isArray(value["sandbox"]["caches"]))
    value["sandbox"] = { ...value["sandbox"], caches: value["sandbox"]["caches"].map(absolute) };
  if (value["caCert"] !== undefined) value["caCert"] = absolute(value["caCert"]);
  if (Array.isArray(value["extensions"])) value["extensions"] = value["extensions"].map(absolute);
  if (isJsonObject(value["memory"]) && value["memory"]["db_path"] !== undefined)
    value["memory"] = { ...value["memory"], db_path: absolute(value["memory"]["db_path"]) };
  if (Array.isArray(value["hooks"]))
    value["hooks"] = value["hooks"].map((hook) =>
      isJsonObject(hook) ? { ...hook, source: place.file } : hook,
    );
  if (isJsonObject(value["mcp"]) && Array.isArray(value["mcp"]["servers"]))
    value["mcp"] = {
      ...value["mcp"],
      servers: value["mcp"]["servers"].flatMap((server) => {
        const fits =
          isJsonObject(server) && (server["command"] === undefined) !== (server["url"] === undefined);
        if (!fits && isJsonObject(server))
          notices.push({
            level: "warning",
            message: `${place.file}: the MCP server "${server["name"]}" is ignored: it needs either "command" or "url"`,
          });
        if (!fits) return [];
        const { cwd } = server;
        // Beside the folder that the file lies in: the project, or the user's home folder.
        const beside: JsonObject = cwd === undefined ? {} : { cwd: from(join(place.folder, ".."), cwd) };
        return [{ ...server, ...beside, source: place.file }];
      }),
    };
  return { value, notices };
}
