import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import type { Notice } from "../contract/settings.ts";
import type { Config, ConfigLayer } from "./config.ts";
import { defaultConfig } from "./defaults.ts";
import { mergeLayers } from "./merge.ts";
import { normaliseLayer } from "./normalise.ts";
import { mapOlderKeys } from "./older-keys.ts";
import type { Project } from "./project.ts";
import { narrowProject } from "./project-rules.ts";
import { readJsonFile, repeatedKey } from "./read-json-file.ts";
import { CONFIG_SCHEMA } from "./schema.ts";
import { validateConfig } from "./validate.ts";

/** Where a setting came from. */
export type ConfigSource = "built-in" | "user" | "project" | "environment" | "flags";

export interface LoadConfigOptions {
  /** The user's own config file, `~/.pi-go/config.json`, and home folder (for `~/`). */
  userFile: string;
  userHome: string;
  project: Project;
  /** Whether the project's files act (see `trust.ts`). */
  trusted: boolean;
  /** What the environment and the command line set; the caller has checked it. */
  environment?: ConfigLayer;
  flags?: ConfigLayer;
}

export interface LoadedConfig {
  config: Config;
  notices: Notice[];
  /** The source of each setting that is not built in, by dotted path (`memory.enabled`). */
  sources: Readonly<Record<string, ConfigSource>>;
}

/**
 * Flags over environment over a trusted project's `.pi-go/config.json` over the user's file over what is built in. Never throws
 * and never writes: a broken file counts as empty and is named in a notice with line and column, a wrong value falls back alone.
 */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const notices: Notice[] = [];
  const builtIn = defaultConfig() as unknown as JsonObject;
  const user = await readLayer(options.userFile, join(options.userFile, ".."), options.userHome, notices);
  let merged = mergeLayers(builtIn, user);
  const layers: [ConfigSource, JsonObject][] = [["user", user]];
  if (options.project.folder !== null && options.trusted) {
    const file = join(options.project.folder, "config.json");
    const project = await readLayer(file, options.project.folder, options.userHome, notices);
    const narrowed = narrowProject(project, merged, user, file);
    notices.push(...narrowed.notices);
    layers.push(["project", narrowed.value]);
    merged = mergeLayers(merged, narrowed.value);
  }
  for (const [source, layer] of [
    ["environment", options.environment],
    ["flags", options.flags],
  ] as const) {
    if (!layer) continue;
    const value = layer as unknown as JsonObject;
    layers.push([source, value]);
    merged = mergeLayers(merged, value);
  }
  const sources: Record<string, ConfigSource> = {};
  for (const [source, layer] of layers) for (const path of leaves(layer)) sources[path] = source;
  return { config: merged as unknown as Config, notices, sources };
}

async function readLayer(
  file: string,
  folder: string,
  userHome: string,
  notices: Notice[],
): Promise<JsonObject> {
  const read = await readJsonFile(file);
  if (read.state === "missing") return {};
  if (read.state === "broken") {
    notices.push({
      level: "warning",
      message: `${file} is not used: ${read.problem}. The file is left as it is; built-in settings stand in for it`,
    });
    return {};
  }
  const repeated = repeatedKey(read.text);
  if (repeated)
    notices.push({
      level: "warning",
      message: `${file}: ${JSON.stringify(repeated.key.slice(0, 200))} stands there twice, again at ${repeated.at}, and only the last one counts; make them one`,
    });
  const mapped = mapOlderKeys(read.value, file);
  const valid = validateConfig(mapped.value, CONFIG_SCHEMA, file);
  const normal = normaliseLayer(valid.value, { file, folder, userHome });
  notices.push(...mapped.notices, ...valid.notices, ...normal.notices);
  return normal.value;
}

function leaves(value: JsonObject, path = ""): string[] {
  return Object.entries(value).flatMap(([key, entry]) =>
    isJsonObject(entry) ? leaves(entry, `${path}${key}.`) : [`${path}${key}`],
  );
}
